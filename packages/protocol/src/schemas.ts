import * as v from 'valibot'
import { LatchkeyError } from './errors.ts'

/** One thing that is wrong with a value: where, and one of three texts. */
export interface ValidationIssue {
  /** `data.0.name`, or empty for the value itself. */
  readonly path: string
  readonly message: string
}

/** The text for one schema issue: "Required", "Expected X received Y" or "Invalid input". */
export function messageOf(issue: v.BaseIssue<unknown>): string {
  if (issue.input === undefined) return 'Required'
  // A schema that names one plain kind ("string", "Object") can say what it expected; a list of literals cannot.
  const expected =
    issue.kind === 'schema' && /^[a-z]+$/i.test(issue.expected ?? '') ? issue.expected?.toLowerCase() : ''
  const received = kindOf(issue.input)
  return expected && expected !== received ? `Expected ${expected} received ${received}` : 'Invalid input'
}

/** `value` as the schema describes it, or `undefined` when it is something else. */
export function read<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown): Output | undefined {
  const result = v.safeParse(schema, value, { abortEarly: true })
  return result.success ? result.output : undefined
}

/** `value` as the schema describes it; throws `input/invalid` with the first complaint otherwise. */
export function parse<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown, name = 'value'): Output {
  const result = v.safeParse(schema, value, { abortEarly: true, message: messageOf })
  if (result.success) return result.output
  const [issue] = result.issues
  const path = [name, v.getDotPath(issue)].filter(Boolean).join('.')
  throw new LatchkeyError('input/invalid', { path, message: issue.message })
}

/** Everything that is wrong with `value`; empty when nothing is. */
export function validationIssues(schema: v.GenericSchema, value: unknown): readonly ValidationIssue[] {
  const result = v.safeParse(schema, value, { message: messageOf })
  return (result.issues ?? []).map((issue) => ({ path: v.getDotPath(issue) ?? '', message: issue.message }))
}

/** JSON text as the schema describes it, or `undefined` when it is something else or no JSON. */
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
