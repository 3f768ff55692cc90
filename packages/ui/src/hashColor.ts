/** Returns the FNV-1a hash of `text`, a 32-bit integer. */
export function fnv1a(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

/** Returns a hue from 0 to 359 for `text`. */
export function hashHue(text: string): number {
  return fnv1a(text) % 360
}
