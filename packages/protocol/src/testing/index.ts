export { type Dice, dice } from './dice.ts'
export { type FakeClock, fakeClock } from './fakeClock.ts'
