/** The maximum length of an amount, in characters. */
const maxLength = 60

/**
 * Converts what was typed or pasted into an amount field to plain decimal text, such as `0.5`. A single comma or point is always
 * the decimal separator, because the text can come from a page in another language: as a thousands separator, it could make the
 * amount a thousand times larger. Digits after `decimals` places are cut. Returns `undefined` if the text is not a number.
 *
 * @example
 * amountInput('1,5', { decimals: 18 }) // '1.5'
 * amountInput('1,234.567', { decimals: 2 }) // '1234.56'
 */
export function amountInput(text: string, { decimals }: { readonly decimals: number }): string | undefined {
  const plain = [...text.trim()]
    .map(latin)
    .join('')
    .replace(/[\s'’٬]/gu, '')
  if (plain === '') return ''
  if (plain.length > maxLength || !/^[\d.,]+$/.test(plain)) return undefined
  const last = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  const separator = plain[last] ?? ''
  const isGrouped = separator !== '' && plain.indexOf(separator) !== last
  // A separator that occurs several times must group the digits by thousands, without any other separator.
  if (isGrouped && !/^\d{1,3}(,\d{3})+$|^\d{1,3}(\.\d{3})+$/.test(plain)) return undefined
  const [whole, fraction] = last < 0 || isGrouped ? [plain, undefined] : [plain.slice(0, last), plain.slice(last + 1)]
  const digits = whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '') || '0'
  if (fraction === undefined || decimals === 0) return digits
  return `${digits}.${fraction.slice(0, decimals)}`
}

/** Returns the Latin form of an Arabic or Persian digit or decimal separator. Other characters are returned unchanged. */
function latin(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code >= 0x660 && code <= 0x669) return String(code - 0x660)
  if (code >= 0x6f0 && code <= 0x6f9) return String(code - 0x6f0)
  return character === '٫' || character === '，' ? '.' : character
}
