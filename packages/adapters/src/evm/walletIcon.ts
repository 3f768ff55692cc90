/** The maximum length of an icon's data URL, in characters. */
const biggestIcon = 128 * 1024

/** Validates a wallet icon, which must be an image `data:` URL of limited size so that it causes no network request. */
export function safeIcon(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > biggestIcon) return undefined
  const icon = value.trim()
  return dataImage.test(icon) ? icon : undefined
}

/** Validates a configured icon, which can also be an https URL. */
export function hostIcon(value: unknown): string | undefined {
  return safeIcon(value) ?? (typeof value === 'string' && /^https:\/\/\S{1,2000}$/.test(value) ? value : undefined)
}

const dataImage = /^data:image\/(png|jpe?g|webp|gif|svg\+xml)(;(charset=)?utf-?8)?(;base64)?,/i
