import { localeHere } from './localeHere.ts'
import { say, type Word } from './words.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const units: readonly (readonly [seconds: number, unit: string, single: Word])[] = [
  [7 * day, 'week', 'everyWeek'],
  [day, 'day', 'everyDay'],
  [hour, 'hour', 'everyHour'],
  [minute, 'minute', 'everyMinute'],
  [1, 'second', 'everySecond'],
]

/** How often something begins anew, as a person says it. */
export function periodText(seconds: number): string {
  const [size, unit, single] = units.find(([one]) => seconds % one === 0) ?? [1, 'second', 'everySecond']
  const count = seconds / size
  if (count === 1) return say(single)
  // The browser knows the plurals of units in every language.
  const period = new Intl.NumberFormat(localeHere(), { style: 'unit', unit, unitDisplay: 'long' }).format(count)
  return say('every', { period })
}
