/** JSON that is nested deeper than any call needs. */
export class JsonDepthError extends Error {
  override readonly name = 'JsonDepthError'
}

/**
 * The value of a JSON text; throws where it is none, and a JsonDepthError where it is nested deeper than `maxDepth`. The parser itself takes
 * any depth, but what comes after it (schemas, `String()`, serialisers) calls itself for each level and would run out of stack.
 */
export function parseJson(text: string, { maxDepth = 32 } = {}): unknown {
  let depth = 0
  let isInText = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (isInText) {
      if (sign === backslash) at += 1
      else if (sign === quote) isInText = false
    } else if (sign === quote) isInText = true
    else if (sign === openBracket || sign === openBrace) {
      depth += 1
      if (depth > maxDepth) throw new JsonDepthError(`The JSON is nested deeper than ${maxDepth} levels`)
    } else if (sign === closeBracket || sign === closeBrace) depth -= 1
  }
  return JSON.parse(text)
}

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
