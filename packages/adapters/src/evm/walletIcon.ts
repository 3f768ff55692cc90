/** The biggest icon that is taken, in characters of its data URL. */
const biggestIcon = 128 * 1024

/** An icon that may be drawn through an `<img>`: an image's data URL of bearable size, nothing that makes a request. */
export function safeIcon(told: unknown): string | undefined {
  if (typeof told !== 'string' || told.length > biggestIcon) return undefined
  const icon = told.trim()
  return dataImage.test(icon) ? icon : undefined
}

/** The host's own icon: like a wallet's, or https. */
export function hostIcon(told: unknown): string | undefined {
  return safeIcon(told) ?? (typeof told === 'string' && /^https:\/\/\S{1,2000}$/.test(told) ? told : undefined)
}

const dataImage = /^data:image\/(png|jpe?g|webp|gif|svg\+xml)(;(charset=)?utf-?8)?(;base64)?,/i
