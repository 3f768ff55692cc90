/** Text that a page, a contract or a node chose. It is an object so that no screen can draw it by mistake: `PageText` and `TextBox` do. */
export interface UntrustedText {
  readonly untrusted: string
}

/** Marks `text` as chosen by somebody else. */
export function untrusted(text: string): UntrustedText {
  return { untrusted: text }
}

/** Text that can be drawn, and whether that differs from what was given. */
export interface SanitizedText {
  readonly text: string
  /** Signs that draw nothing, or that reorder text, were replaced by their number: ‹U+202E›. */
  readonly hasHiddenSigns: boolean
  /** Something was cut off at the end. */
  readonly isShortened: boolean
}

/** How much of a text is drawn. */
export interface SanitizeOptions {
  /** Whether line ends and tabs stay; otherwise they are made visible. [false] */
  readonly lines?: boolean
  /** In graphemes. [120; with `lines` no limit] */
  readonly maxLength?: number
}

/**
 * Text of a stranger, made safe to read: nothing in it is invisible, turns a line around, ends a line unseen, piles up marks or,
 * outside of lines, pushes the rest away by spaces. The only
 * sanitiser of the frame.
 *
 * @example sanitizeText({ untrusted: 'USD\u200bC' }).text // 'USD‹U+200B›C'
 */
export function sanitizeText(
  { untrusted: given }: UntrustedText,
  { lines = false, maxLength = lines ? Number.POSITIVE_INFINITY : 120 }: SanitizeOptions = {},
): SanitizedText {
  // Work on a hostile megabyte is bounded by what could be drawn.
  const { text: stored, isShortened } = shorten(given, maxLength)
  const whole = suspicious.test(stored) ? visible(stored, lines) : stored
  // Many spaces push what follows out of sight; one is as good.
  const text = lines ? whole : whole.replace(/\p{Zs}{2,}/gu, ' ')
  return { text: isShortened ? `${text}…` : text, hasHiddenSigns: whole !== stored, isShortened }
}

/** Everything that needs a closer look: what draws nothing, controls, and marks that pile up. */
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

/** Whether a sign that draws nothing does its proper work between its neighbours. */
function belongs(sign: string, before: string, after: string, lines: boolean): boolean {
  switch (sign) {
    case '\n':
    case '\t':
      return lines
    // A lone carriage return ends a line in some places only.
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
  // One grapheme can be made of any number of signs.
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
