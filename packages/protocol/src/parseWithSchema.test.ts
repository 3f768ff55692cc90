import * as v from 'valibot'
import { expect, test } from 'vitest'
import { parse, read, readJson, validationIssues } from './parseWithSchema.ts'

const person = v.object({
  name: v.string(),
  age: v.optional(v.number()),
  email: v.optional(v.pipe(v.string(), v.email())),
  theme: v.optional(v.picklist(['light', 'dark'])),
  tags: v.optional(v.array(v.string())),
  born: v.optional(v.date()),
  either: v.optional(v.union([v.string(), v.number()])),
})

test.each<[value: unknown, path: string, message: string]>([
  [undefined, '', 'Required'],
  [{}, 'name', 'Required'],
  [{ name: undefined }, 'name', 'Required'],
  [null, '', 'Expected object received null'],
  ['x', '', 'Expected object received string'],
  [[], 'name', 'Required'],
  [{ name: 1 }, 'name', 'Expected string received number'],
  [{ name: null }, 'name', 'Expected string received null'],
  [{ name: ['x'] }, 'name', 'Expected string received array'],
  [{ name: 'x', age: '3' }, 'age', 'Expected number received string'],
  [{ name: 'x', age: Number.NaN }, 'age', 'Expected number received nan'],
  [{ name: 'x', tags: {} }, 'tags', 'Expected array received object'],
  [{ name: 'x', tags: ['a', true] }, 'tags.1', 'Expected string received boolean'],
  [{ name: 'x', email: 'nobody' }, 'email', 'Invalid input'],
  [{ name: 'x', theme: 'blue' }, 'theme', 'Invalid input'],
  [{ name: 'x', born: '1990' }, 'born', 'Expected date received string'],
  [{ name: 'x', born: new Date(Number.NaN) }, 'born', 'Invalid input'],
  [{ name: 'x', either: true }, 'either', 'Invalid input'],
])('validating %o reports for the path "%s": %s [R5.18]', (value, path, message) => {
  expect(validationIssues(person, value)).toEqual([{ path, message }])
})

test('validationIssues returns all issues, or an empty list for a valid value [R5.18]', () => {
  expect(validationIssues(person, { age: '3', theme: 'x' }).map(({ message }) => message)).toEqual([
    'Required',
    'Expected number received string',
    'Invalid input',
  ])
  expect(validationIssues(person, { name: 'x' })).toEqual([])
})

test('read and readJson return the parsed value, or undefined if it is invalid', () => {
  expect(read(person, { name: 'x', more: 1 })).toEqual({ name: 'x' })
  expect(read(person, { name: 1 })).toBeUndefined()
  expect(readJson(person, '{"name":"x"}')).toEqual({ name: 'x' })
  expect(readJson(person, '{"name":1}')).toBeUndefined()
  expect(readJson(person, '{"name"')).toBeUndefined()
})

test('parse throws an error with the path and message of the first issue, but not the value [R5.18]', () => {
  expect(parse(person, { name: 'x' })).toEqual({ name: 'x' })
  const parsing = (value: unknown) => () => parse(person, value, 'person')
  expect(parsing({ name: 'x', tags: [12345] })).toThrow('person.tags.0: Expected string received number')
  expect(parsing(undefined)).toThrow('person: Required')
  expect(parsing({ name: 'x', email: 'secret' })).toThrow(/^person\.email: Invalid input$/)
})
