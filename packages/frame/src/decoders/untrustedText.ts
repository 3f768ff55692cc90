/**
 * Text from a page, a contract or a node. It is an object, so that it cannot be rendered by mistake. Only `SanitizedText` and
 * `TextBox` render it.
 */
export interface UntrustedText {
  readonly untrusted: string
}

/** Marks `text` as untrusted. */
export function untrusted(text: string): UntrustedText {
  return { untrusted: text }
}

/** Text that is safe to render, and how it differs from the original text. */
export interface SanitizedText {
  readonly text: string
  /** Whether invisible characters, or characters that reorder text, were replaced by their code points, such as ‹U+202E›. */
  readonly hasHiddenSigns: boolean
  /** Whether the end was cut off. */
  readonly isShortened: boolean
}

/** Options for `sanitizeText`. */
export interface SanitizeOptions {
  /** Whether to keep line breaks and tabs. By default, they are replaced by their code points. */
  readonly lines?: boolean
  /** The maximum length in graphemes. Defaults to 120, or to no limit if `lines` is set. */
  readonly maxLength?: number
}

/**
 * Makes untrusted text safe to read by replacing invisible characters, characters that reorder text, hidden line breaks and
 * stacked combining marks. Without `lines`, runs of spaces are collapsed, because they can push text out of view. No other code
 * in the frame sanitizes text.
 *
 * @example sanitizeText({ untrusted: 'USD\u200bC' }).text // 'USD‹U+200B›C'
 */
export function sanitizeText(
  { untrusted: input }: UntrustedText,
  { lines = false, maxLength = lines ? Number.POSITIVE_INFINITY : 120 }: SanitizeOptions = {},
): SanitizedText {
  // The text is shortened first, so that only the part that is shown needs to be processed, however long the text is.
  const { text: shortened, isShortened } = shorten(input, maxLength)
  const whole = suspicious.test(shortened) ? visible(shortened, lines) : shortened
  // Runs of spaces are collapsed, because they can push the following text out of view.
  const text = lines ? whole : whole.replace(/\p{Zs}{2,}/gu, ' ')
  return { text: isShortened ? `${text}…` : text, hasHiddenSigns: whole !== shortened, isShortened }
}

/** Matches invisible characters, control characters and stacked combining marks. */
const suspicious =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{13441}\u{13442}\u{1d159}]|\p{M}{5}/u
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{13441}\u{13442}\u{1d159}]/u
const mark = /\p{M}/u
const emoji = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u
const pictograph = /\p{Extended_Pictographic}/u
const joining =
  /[\p{Script=Arabic}\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Khmer}\p{Script=Malayalam}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Syriac}\p{Script=Tamil}\p{Script=Telugu}]/u
const maxMarks = 4

function visible(text: string, lines: boolean): string {
  const signs = Array.from(text)
  let marks = 0
  return signs
    .map((sign, at) => {
      marks = mark.test(sign) ? marks + 1 : 0
      if (marks > maxMarks) return numberOf(sign)
      if (!hidden.test(sign)) return sign
      return belongs(sign, signs[at - 1] ?? '', signs[at + 1] ?? '', lines) ? sign : numberOf(sign)
    })
    .join('')
}

/** Whether an invisible character is used legitimately, given the characters around it. */
function belongs(sign: string, before: string, after: string, lines: boolean): boolean {
  switch (sign) {
    case '\n':
    case '\t':
      return lines
    // A lone carriage return is only a line break in some environments.
    case '\r':
      return lines && after === '\n'
    case '\u200d':
      return (emoji.test(before) && pictograph.test(after)) || (joining.test(before) && joining.test(after))
    case '\u200c':
      return joining.test(before) && joining.test(after)
    case '\ufe0e':
    case '\ufe0f':
      return pictograph.test(before) || /[0-9#*]/.test(before)
    default:
      return false
  }
}

function numberOf(sign: string): string {
  return `‹U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}›`
}

function shorten(text: string, maxLength: number): { text: string; isShortened: boolean } {
  if (text.length <= maxLength) return { text, isShortened: false }
  // A grapheme can consist of any number of code points.
  const bounded = text.slice(0, maxLength * 8)
  let end = 0
  let count = 0
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(bounded)) {
    if (count === maxLength) return { text: bounded.slice(0, index), isShortened: true }
    count += 1
    end = index + segment.length
  }
  return { text: bounded.slice(0, end), isShortened: bounded.length < text.length }
}
