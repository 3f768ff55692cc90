import { currentLocale } from '../texts/currentLocale.ts'
import { type MessageKey, t } from '../texts/translations.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const units: readonly (readonly [seconds: number, unit: string, single: MessageKey])[] = [
  [7 * day, 'week', 'everyWeek'],
  [day, 'day', 'everyDay'],
  [hour, 'hour', 'everyHour'],
  [minute, 'minute', 'everyMinute'],
  [1, 'second', 'everySecond'],
]

/** Formats a recurring period, such as "every day". */
export function periodText(seconds: number): string {
  const [size, unit, single] = units.find(([item]) => seconds % item === 0) ?? [1, 'second', 'everySecond']
  const count = seconds / size
  if (count === 1) return t(single)
  // Intl provides the plural forms of units in every language.
  const period = new Intl.NumberFormat(currentLocale(), { style: 'unit', unit, unitDisplay: 'long' }).format(count)
  return t('every', { period })
}
