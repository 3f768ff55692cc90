/** A whole number from `text`, the same for the same text (FNV-1a, 32 bit). */
export function fnv1a(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

/** The hue of `text`, 0 to 359. */
export function hashHue(text: string): number {
  return fnv1a(text) % 360
}
