/** The maximum length of an icon's data URL, in characters. */
const biggestIcon = 128 * 1024

/** Validates a wallet icon, which must be an image `data:` URL of limited size so that it causes no network request. */
export function safeIcon(told: unknown): string | undefined {
  if (typeof told !== 'string' || told.length > biggestIcon) return undefined
  const icon = told.trim()
  return dataImage.test(icon) ? icon : undefined
}

/** Validates a configured icon, which can also be an https URL. */
export function hostIcon(told: unknown): string | undefined {
  return safeIcon(told) ?? (typeof told === 'string' && /^https:\/\/\S{1,2000}$/.test(told) ? told : undefined)
}

const dataImage = /^data:image\/(png|jpe?g|webp|gif|svg\+xml)(;(charset=)?utf-?8)?(;base64)?,/i
