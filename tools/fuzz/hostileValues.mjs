// Generates hostile and nearly valid values from a single seed, so that a run can be repeated.

import { randomFrom } from '../../packages/server/bench/statistics.mjs'

/**
 * Creates the functions that make random choices from a seed.
 * @param {number} seed
 */
export function choices(seed) {
  const random = randomFrom(seed)
  const int = (/** @type {number} */ max) => Math.floor(random() * max)
  return {
    random,
    int,
    /** @type {<T>(list: readonly T[]) => T} */
    pick: (list) => /** @type {any} */ (list[int(list.length)]),
    chance: (/** @type {number} */ share) => random() < share,
    hex: (/** @type {number} */ length) => Array.from({ length }, () => int(16).toString(16)).join(''),
  }
}

/** @typedef {ReturnType<typeof choices>} Choices */

const oddTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\u202e\u2066',
  "'; drop table users; --",
  '../../../etc/passwd',
  '%00',
  '__proto__',
  'constructor',
  'toString',
  'true',
  'null',
  '-1',
  '1e999',
  'NaN',
  '0x',
  '0x0',
  'eip155:1',
  'eip155:99999999999999999999999',
  'a@b.example',
  'A@B.example\r\nBcc: c@d.example',
  'javascript:alert(1)',
  'https://shop.example',
  'did:key:z6Mk',
  '{{7*7}}',
  '<script>',
  '\u{1f600}',
  'ﷺ',
]
const oddNumbers = [0, -0, -1, 1, 0.1, 1e308, -1e308, 2 ** 53, -(2 ** 53), 2 ** 31, 2 ** 32, 255, 4_294_967_296, 1e21]

/** Returns an arbitrary string. @param {Choices} c @returns {string} */
export function text(c) {
  switch (c.int(8)) {
    case 0:
      return c.hex(64)
    case 1:
      return `0x${c.hex(40)}`
    case 2:
      return c.pick(oddTexts).repeat(1 + c.int(40))
    case 3:
      return 'x'.repeat(c.int(c.chance(0.05) ? 70_000 : 300))
    case 4:
      return String.fromCharCode(...Array.from({ length: c.int(24) }, () => c.int(65_536)))
    default:
      return c.pick(oddTexts)
  }
}

/** Returns an arbitrary JSON value. @param {Choices} c @returns {unknown} */
export function any(c, depth = 0) {
  switch (c.int(depth > 3 ? 5 : 8)) {
    case 0:
      return c.pick(oddNumbers)
    case 1:
      return null
    case 2:
      return c.chance(0.5)
    case 3:
    case 4:
      return text(c)
    case 5:
      return Array.from({ length: c.int(5) }, () => any(c, depth + 1))
    default:
      return Object.fromEntries(Array.from({ length: c.int(5) }, () => [text(c).slice(0, 40), any(c, depth + 1)]))
  }
}

/**
 * Returns a valid or nearly valid value for a valibot schema, with hostile strings.
 * @param {any} schema
 * @param {Choices} c
 * @returns {unknown}
 */
export function ofSchema(schema, c, depth = 0) {
  if (!schema || depth > 8 || c.chance(0.06)) return any(c)
  switch (schema.type) {
    case 'object':
    case 'loose_object':
    case 'strict_object': {
      const entries = Object.entries(schema.entries).filter(() => !c.chance(0.05))
      const found = Object.fromEntries(entries.map(([name, entry]) => [name, ofSchema(entry, c, depth + 1)]))
      return c.chance(0.05) ? { ...found, [text(c)]: any(c) } : found
    }
    case 'array':
      return Array.from({ length: c.chance(0.02) ? 1_500 : c.int(4) }, () => ofSchema(schema.item, c, depth + 1))
    case 'tuple':
      return schema.items.map((/** @type {any} */ item) => ofSchema(item, c, depth + 1))
    case 'record':
      return { [text(c)]: ofSchema(schema.value, c, depth + 1) }
    case 'union':
    case 'variant':
      return ofSchema(c.pick(schema.options), c, depth + 1)
    case 'optional':
    case 'nullable':
    case 'nullish':
    case 'exact_optional':
      return c.chance(0.3) ? null : ofSchema(schema.wrapped, c, depth + 1)
    case 'lazy':
      return ofSchema(schema.getter(undefined), c, depth + 1)
    case 'literal':
      return schema.literal
    case 'picklist':
      return c.pick(schema.options)
    case 'boolean':
      return c.chance(0.5)
    case 'number':
      return c.chance(0.5) ? c.int(1_000) : c.pick(oddNumbers)
    case 'string':
      return ofText(schema, c)
    default:
      return any(c)
  }
}

/** @param {any} schema @param {Choices} c @returns {string} */
function ofText(schema, c) {
  const pipe = /** @type {any[]} */ (schema.pipe ?? [])
  const regex = String(pipe.find(({ type }) => type === 'regex')?.requirement ?? '')
  if (pipe.some(({ type }) => type === 'email')) return `a${c.int(50)}@b.example`
  const length = Number(/\{(\d+)/.exec(regex)?.[1] ?? 0)
  if (length > 0 && c.chance(0.6)) return (regex.includes('0x') ? '0x' : '') + c.hex(length)
  if (c.chance(0.3)) return Buffer.from(c.hex(2 * (16 + c.int(200))), 'hex').toString('base64url')
  return text(c)
}

/**
 * Returns a request body that is valid, malformed, deeply nested or very large.
 * @param {any} schema
 * @param {Choices} c
 * @returns {string | Buffer}
 */
export function body(schema, c) {
  const way = c.int(20)
  if (way < 9) return JSON.stringify(ofSchema(schema, c))
  if (way < 12) return JSON.stringify(any(c))
  if (way === 12) return '['.repeat(1 + c.int(20_000))
  if (way === 13) return `{"a":${'{"a":'.repeat(c.int(3_000))}1${'}'.repeat(c.int(3_000))}}`
  if (way === 14) return JSON.stringify(ofSchema(schema, c)).replace(/"/, '"\\ud800\\u0000')
  if (way === 15) return Buffer.from(Array.from({ length: c.int(400) }, () => c.int(256)))
  if (way === 16) return `{"n":${'9'.repeat(1 + c.int(4_000))}}`
  if (way === 17) return ''
  if (way === 18) return 'x'.repeat(c.chance(0.02) ? 3_000_000 : c.int(70_000))
  const whole = JSON.stringify(ofSchema(schema, c)) ?? 'null'
  return whole.slice(0, c.int(whole.length + 1))
}
