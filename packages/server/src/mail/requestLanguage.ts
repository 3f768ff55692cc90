import type { Language } from '@latchkey/i18n/languages'
import { matchLanguage } from '@latchkey/i18n/locale'

/** Returns the language that the browser prefers (`Accept-Language`, RFC 9110 section 12.5.4), or English. */
export function requestLanguage(headers: Headers): Language {
  const ranges = (headers.get('accept-language') ?? '').slice(0, 1000).split(',')
  const weighted = ranges.map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { tag, weight: weight === undefined ? 1 : Number(weight) }
  })
  // The sort is stable, so languages of equal weight keep their order.
  const accepted = weighted.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  return matchLanguage(accepted.map(({ tag }) => tag))
}
