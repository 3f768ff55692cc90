import { fromUtf8, toHex } from '@latchkey/protocol/bytes'

/** A message decoded for display. */
export type DecodedText =
  | {
      readonly is: 'text'
      readonly text: string
      /** The site that a sign-in message signs in to. */
      readonly signInTo?: string | undefined
    }
  | { readonly is: 'bytes'; readonly text: string }

/** Decodes a message as text with invisible characters escaped, or as hex if the message is not text. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const text = fromUtf8(bytes)
  if (text === undefined || isBinary(text)) return { is: 'bytes', text: toHex(bytes) }
  return { is: 'text', text: escapeInvisible(text), signInTo: signInSite(text) }
}

/** Returns the site of a sign-in message. Invisible characters and unusual whitespace do not hide a message from this check. */
function signInSite(text: string): string | undefined {
  const visible = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').replace(/\s+/gu, ' ')
  return /(?:^| )(?:[a-z][a-z0-9+.-]*:\/\/)?(\S+) wants you to sign in with your/i.exec(visible)?.[1]
}

/** Replaces invisible and bidirectional control characters with their code points, such as ‹U+202E›. */
export function escapeInvisible(text: string): string {
  return text.replace(/(?![\n\t\r\u200d])[\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0
    return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`
  })
}

/** Formats a value as JSON with invisible characters escaped and bigints converted to strings. */
export function formatJson(value: unknown): string {
  return escapeInvisible(
    JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item), 2) ?? 'nothing',
  )
}

function isBinary(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this function detects control characters.
  return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text)
}
