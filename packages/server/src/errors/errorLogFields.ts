/** The log fields that describe an error. They never contain user input or the operator's secrets. */
export type ErrorFields = Readonly<Record<string, string>>

const maxDepth = 5
const maxMessageLength = 300
const maxStackLength = 4000

/**
 * Returns the name, code (SQLSTATE or errno), message and stack of an error, and the name, code and message of each cause.
 * Removes quoted values, addresses, credentials and parameters from messages.
 */
export function errorFields(error: unknown): ErrorFields {
  const [outer, ...causes] = causesOf(error)
  if (!(outer instanceof Error)) return { error: typeof outer }
  const code = causesOf(error)
    .map(codeOf)
    .find((found) => found !== undefined)
  const stack = framesOf(outer)
  return {
    error: outer.name,
    ...(code === undefined ? {} : { code }),
    errorMessage: withoutValues(outer.message),
    ...(causes.length > 0 ? { cause: causes.map(lineOf).join(' ← ') } : {}),
    ...(stack === '' ? {} : { stack }),
  }
}

/** Returns an error and its causes, outermost first. The first error in an `AggregateError` is treated as its cause. */
export function causesOf(error: unknown): readonly unknown[] {
  const found: unknown[] = []
  let next: unknown = error
  while (next !== undefined && next !== null && found.length < maxDepth && !found.includes(next)) {
    found.push(next)
    const { cause } = next as { cause?: unknown }
    next = cause ?? (next instanceof AggregateError ? next.errors[0] : undefined)
  }
  return found.length > 0 ? found : [error]
}

/** Returns the code of an error: an SQLSTATE, an errno or a Node error code. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  const { code } = error
  return (typeof code === 'string' && /^[\w/-]{1,64}$/.test(code)) || typeof code === 'number'
    ? String(code)
    : undefined
}

function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  return [error.name, codeOf(error), withoutValues(error.message)].filter((part) => part !== undefined).join(' ')
}

function withoutValues(message: string): string {
  return (message.split(/\n?params: /)[0] ?? '')
    .replace(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, '<url>')
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '<value>')
    .replace(/[^\s@<>]+@[^\s@<>]+/g, '<address>')
    .replace(/\b(?:0x)?[\w-]{24,}\b/g, '<value>')
    .replace(/\s+/g, ' ')
    .slice(0, maxMessageLength)
}

// Returns only the stack frames, because the message can span several lines and contain query parameters.
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
    .join('\n')
    .slice(0, maxStackLength)
}
