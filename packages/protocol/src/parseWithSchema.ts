import * as v from 'valibot'
import { LatchkeyError } from './latchkeyError.ts'

/** A validation issue. */
export interface ValidationIssue {
  /** The path of the invalid field, such as `data.0.name`. Empty for the value itself. */
  readonly path: string
  /** `Required`, `Expected X received Y`, `Invalid input`, or a message that the schema defines. */
  readonly message: string
}

/** Returns the message for a schema issue: "Required", "Expected X received Y" or "Invalid input". */
export function messageOf(issue: v.BaseIssue<unknown>): string {
  if (issue.input === undefined) return 'Required'
  // For a schema of a single type, `expected` is the name of a type, such as "string" or "Object". For a list of literals, it
  // is not.
  const expected =
    issue.kind === 'schema' && /^[a-z]+$/i.test(issue.expected ?? '') ? issue.expected?.toLowerCase() : ''
  const received = kindOf(issue.input)
  return expected && expected !== received ? `Expected ${expected} received ${received}` : 'Invalid input'
}

/**
 * Parses `value`. Returns `undefined` if `value` does not match the schema.
 *
 * @example
 * const user = read(v.object({ name: v.string() }), json)
 */
export function read<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown): Output | undefined {
  const result = v.safeParse(schema, value, { abortEarly: true })
  return result.success ? result.output : undefined
}

/**
 * Parses `value`. The path in the error starts with `name`.
 *
 * @throws {LatchkeyError} `input/invalid` with the first issue if `value` does not match the schema.
 *
 * @example
 * parse(v.object({ id: v.number() }), { id: '1' }, 'order') // throws "order.id: Expected number received string"
 */
export function parse<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown, name = 'value'): Output {
  const result = v.safeParse(schema, value, { abortEarly: true, message: messageOf })
  if (result.success) return result.output
  const [issue] = result.issues
  const path = [name, v.getDotPath(issue)].filter(Boolean).join('.')
  throw new LatchkeyError('input/invalid', { path, message: issue.message })
}

/** Returns all validation issues for `value`, or an empty list if it is valid. */
export function validationIssues(schema: v.GenericSchema, value: unknown): readonly ValidationIssue[] {
  const result = v.safeParse(schema, value, { message: messageOf })
  return (result.issues ?? []).map((issue) => ({ path: v.getDotPath(issue) ?? '', message: issue.message }))
}

/** Parses JSON text. Returns `undefined` if the text is not valid JSON or does not match the schema. */
export function readJson<Output>(schema: v.GenericSchema<unknown, Output>, text: string): Output | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return read(schema, value)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (value instanceof Date) return 'date'
  return Number.isNaN(value) ? 'nan' : typeof value
}
