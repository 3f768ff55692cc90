export { type MemoryRelay, memoryRelay } from './memoryRelay.ts'
