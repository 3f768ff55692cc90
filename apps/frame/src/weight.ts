/** Whether `value`, as it came out of a message, holds at most `most` characters and entries in all. Deep and huge ones are left early. */
export function weighsAtMost(value: unknown, most: number): boolean {
  const waiting: unknown[] = [value]
  let left = most
  while (waiting.length > 0) {
    const next = waiting.pop()
    left -= 1
    if (typeof next === 'string') left -= next.length
    else if (typeof next === 'bigint') left -= 32
    else if (typeof next === 'object' && next !== null) {
      // A page sends plain data; what else structured cloning can carry (buffers, maps, files) is nothing that we read.
      const prototype = Object.getPrototypeOf(next)
      if (!Array.isArray(next) && prototype !== Object.prototype && prototype !== null) return false
      if (Array.isArray(next) && next.length > left) return false
      const entries = Object.entries(next)
      for (const [key, entry] of entries) {
        left -= key.length
        waiting.push(entry)
      }
    }
    if (left < 0) return false
  }
  return true
}
