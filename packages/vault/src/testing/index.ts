export { memoryDeviceSecret } from './memoryDeviceSecret.ts'
export { type MemoryVaultStore, memoryVaultStore } from './memoryVaultStore.ts'
export { seededEnvironment } from './seededEnvironment.ts'
export { createVaultFixture, type VaultFixture } from './vaultFixture.ts'
