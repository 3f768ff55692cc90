/**
 * Whether `value`, received in a message, has at most `maxSize` characters and entries in total. Stops early if the limit is
 * exceeded.
 */
export function fitsInSize(value: unknown, maxSize: number): boolean {
  const waiting: unknown[] = [value]
  let remaining = maxSize
  while (waiting.length > 0) {
    const next = waiting.pop()
    remaining -= 1
    if (typeof next === 'string') remaining -= next.length
    else if (typeof next === 'bigint') remaining -= 32
    else if (typeof next === 'object' && next !== null) {
      // Pages send plain data. Other structured-clone types, such as buffers, maps and files, are not supported.
      const prototype = Object.getPrototypeOf(next)
      if (Array.isArray(next) ? next.length > remaining : prototype !== Object.prototype && prototype !== null)
        return false
      const entries = Object.entries(next)
      for (const [key, entry] of entries) {
        remaining -= key.length
        waiting.push(entry)
      }
    }
    if (remaining < 0) return false
  }
  return true
}
