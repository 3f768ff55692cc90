/** Whether `value`, as it came out of a message, holds at most `most` characters and entries in all. Deep and huge ones are left early. */
export function fitsInSize(value: unknown, maxSize: number): boolean {
  const waiting: unknown[] = [value]
  let remaining = maxSize
  while (waiting.length > 0) {
    const next = waiting.pop()
    remaining -= 1
    if (typeof next === 'string') remaining -= next.length
    else if (typeof next === 'bigint') remaining -= 32
    else if (typeof next === 'object' && next !== null) {
      // A page sends plain data; what else structured cloning can carry (buffers, maps, files) is nothing that we read.
      const prototype = Object.getPrototypeOf(next)
      if (!Array.isArray(next) && prototype !== Object.prototype && prototype !== null) return false
      if (Array.isArray(next) && next.length > remaining) return false
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
