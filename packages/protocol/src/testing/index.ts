export { type FakeClock, fakeClock } from './fakeClock.ts'
export { type SeededRandom as Dice, seededRandom as dice } from './seededRandom.ts'
