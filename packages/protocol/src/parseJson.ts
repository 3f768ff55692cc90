/** Thrown for JSON that is nested too deeply to be a valid request. */
export class JsonDepthError extends Error {
  /** Always `JsonDepthError`, even in minified bundles. */
  override readonly name = 'JsonDepthError'
}

/**
 * Parses JSON up to a maximum nesting depth.
 *
 * `JSON.parse` accepts any depth, but later steps such as schemas, `String()` and serializers are recursive and would overflow
 * the stack.
 *
 * @throws {SyntaxError} if the text is not valid JSON.
 * @throws {JsonDepthError} if the JSON is nested deeper than `maxDepth`.
 */
export function parseJson(text: string, { maxDepth = 32 }: { maxDepth?: number } = {}): unknown {
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
