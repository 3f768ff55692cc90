import { expect, test } from 'vitest'
import { errorFields } from './errorLogFields.ts'
import { isStoreUnavailable } from './storeErrors.ts'

const caused = (cause: unknown) =>
  new Error("Failed query: select * from accounts where email = $1\nparams: eve@evil.example,'s3cret'", { cause })

test('errorFields returns the name, SQLSTATE, message, causes and stack, but no query parameters', () => {
  const cause = Object.assign(new Error('duplicate key value violates "accounts_email": (eve@evil.example)'), {
    code: '23505',
    detail: 'Key (email)=(eve@evil.example) already exists.',
  })
  const fields = errorFields(caused(cause))
  expect(fields).toMatchObject({
    error: 'Error',
    code: '23505',
    errorMessage: 'Failed query: select * from accounts where email = $1',
    cause: expect.stringMatching(/^Error 23505 duplicate key/),
    stack: expect.stringMatching(/^at .*errorLogFields\.test/),
  })
  expect(JSON.stringify(fields)).not.toMatch(/eve@|s3cret/)
})

test('errorFields removes credentials, addresses and tokens from messages', () => {
  const error = new TypeError(
    'cannot reach postgres://user:pass@db/x for eve@evil.example with eyJhbGciOiJFUzI1NiIsInR5cCI6 and "0xabc"',
  )
  expect(errorFields(error).errorMessage).toBe('cannot reach <url> for <address> with <value> and <value>')
})

test.each(['"', "'", '`'])('errorFields removes values in %s quotes from messages, however long they are', (quote) => {
  for (const value of ['', 'x', 'a secret'])
    expect(errorFields(new Error(`no ${quote}${value}${quote} in the store`)).errorMessage).toBe(
      'no <value> in the store',
    )
})

test('errorFields accepts any value, including non-errors and errors that cause themselves', () => {
  const circle = new Error('round')
  circle.cause = circle
  expect(errorFields(circle)).toMatchObject({ error: 'Error', errorMessage: 'round' })
  expect(errorFields('a text')).toEqual({ error: 'string' })
  expect(errorFields(undefined)).toEqual({ error: 'undefined' })
  const group = new AggregateError([Object.assign(new Error('no'), { code: 'ECONNREFUSED' })], '')
  expect(errorFields(group).code).toBe('ECONNREFUSED')
})

const withCode = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more })

test.each([
  ['a refused connection', withCode('ECONNREFUSED')],
  ['a refused connection to every address', new AggregateError([withCode('ECONNREFUSED')])],
  ['a server that is shutting down', caused(withCode('57P01'))],
  ['a statement that took too long', caused(withCode('57014'))],
  ['too many connections', withCode('53300')],
  ['a full disk on the database server', withCode('53100')],
  ['a full disk on this machine', withCode('ENOSPC')],
  ['a missing Unix socket', withCode('ENOENT', { syscall: 'connect' })],
  ['a pool with no free connection', caused(new Error('timeout exceeded when trying to connect'))],
  ['a broken connection', caused(new Error('Connection terminated unexpectedly'))],
  ['a frozen server', caused(new Error('Query read timeout'))],
])('isStoreUnavailable returns true for %s', (_, error) => {
  expect(isStoreUnavailable(error)).toBe(true)
})

test.each([
  ['a programming error', new TypeError('x is not a function')],
  ['a violated constraint', caused(withCode('23505'))],
  ['a missing table', caused(withCode('42P01'))],
  ['a missing file', withCode('ENOENT', { syscall: 'open' })],
  ['a value that is not an error', 'ECONNREFUSED'],
])('isStoreUnavailable returns false for %s', (_, error) => {
  expect(isStoreUnavailable(error)).toBe(false)
})
