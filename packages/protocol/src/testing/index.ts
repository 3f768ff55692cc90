export { type FakeClock, fakeClock } from './fakeClock.ts'
export { type SeededRandom, seededRandom } from './seededRandom.ts'
