import { expect, test } from 'vitest'
import { accountErrorMessages } from './errors/accountErrorMessages.ts'
import { failure, frameReports, catalogue as messages, relayFailure } from './errors/errorMessages.ts'
import { ApiError } from './http/apiError.ts'
import { failed } from './http/publicRoutes.ts'
import type { ErrorCode } from './latchkeyError.ts'
import { errorSentences, isLatchkeyError, LatchkeyError, toLatchkeyError } from './latchkeyError.ts'

test('a setup error has the specified message [R8.8]', () => {
  expect(new LatchkeyError('app/origin-not-allowed', { origin: 'https://a.example' }).message).toBe(
    'Invalid App Configuration',
  )
  expect(new LatchkeyError('network/not-found', { chain: 'eip155:5' }).message).toBe('Network Not Found')
  expect(new LatchkeyError('app/no-project').message).toBe('Project ID Not Configured')
  expect(new LatchkeyError('disconnect/failed', { message: 'x' }).message).toBe('Failed to disconnect')
})

test('a storage error’s message includes the failed operation [R8.2]', () => {
  const say = (action: string, record: string): string =>
    new LatchkeyError('storage/failed', { action, record }).message
  expect(say('set', 'active namespace')).toBe('Unable to set active namespace')
  expect(say('get', 'balance cache')).toBe('Unable to get balance cache')
})

test('a frame error has the frame’s message or, if there is none, the default message [R8.1]', () => {
  expect(failure('frame/failed', { message: 'No such code' }).message).toBe('No such code')
  expect(failure('frame/failed', {}).message).toBe('An error occurred')
})

test('a frame that does not load or respond is reported with the specified names [R8.5]', () => {
  expect(Object.values(frameReports)).toEqual(['iframe_load_failed', 'iframe_request_timeout'])
})

test('the message of a throttled email error includes the remaining seconds [R5.4]', () => {
  expect(failure('email/throttled', { seconds: 7 }).message).toBe('Please try again after 7 seconds')
})

test.each([
  ['Unauthorized: origin not allowed', 'app/origin-not-allowed'],
  ['3000: Unauthorized: invalid key', 'relay/invalid-key'],
  ['JWT validation error: JWT Token is not yet valid: 1', 'relay/session-expired'],
  ['JWT validation error: JWT Token has expired', 'relay/session-expired'],
  ['socket hang up', undefined],
])('the relay message "%s" has the code %s [R8.8, R8.9]', (text, code) => {
  expect(relayFailure(text)).toBe(code)
})

test('an error has a code, details, a message and a cause', () => {
  const cause = new Error('deep')
  const error = new LatchkeyError('request/timeout', { request: 'connect', afterMs: 500 }, { cause })
  expect(error).toMatchObject({
    name: 'LatchkeyError',
    code: 'request/timeout',
    details: { request: 'connect', afterMs: 500 },
  })
  expect(error.message).toBe('"connect" timed out after 500 ms.')
  expect(error.cause).toBe(cause)
  expect(failure('cacao/unknown-type', { type: 'x' }, { cause }).cause).toBe(cause)
})

test('JSON.stringify includes an error’s code, details and message, but neither its cause nor its stack', () => {
  const error = new LatchkeyError('wallet/failed', { message: 'low on gas' }, { cause: new Error('private') })
  const json: unknown = JSON.parse(JSON.stringify(error))
  expect(json).toEqual({
    name: 'LatchkeyError',
    code: 'wallet/failed',
    details: { message: 'low on gas' },
    message: 'The wallet failed: low on gas',
  })
  expect(isLatchkeyError(json, 'wallet/failed')).toBe(true)
})

test('JSON.stringify converts an error from the public API to the specified error response', () => {
  const error = new ApiError(429, 'email', 'Too many emails', 30)
  expect(error).toMatchObject({ status: 429, field: 'email', seconds: 30 })
  expect(JSON.parse(JSON.stringify(error))).toEqual(failed('email', 'Too many emails'))
})

test('details cannot inject placeholders or replacement patterns into a message', () => {
  expect(new LatchkeyError('wallet/failed', { message: '{connectorId} $& {message}' }).message).toBe(
    'The wallet failed: {connectorId} $& {message}',
  )
})

test('isLatchkeyError() recognizes only our errors, by their code, even if they come from a different window', () => {
  const error = new LatchkeyError('user/rejected', { request: 'connect' })
  const travelled: unknown = { code: error.code, details: error.details }
  for (const value of [error, travelled]) {
    expect(isLatchkeyError(value)).toBe(true)
    expect(isLatchkeyError(value, 'user/rejected')).toBe(true)
    expect(isLatchkeyError(value, 'wallet/busy')).toBe(false)
  }
  expect(isLatchkeyError(failure('recap/missing'))).toBe(true)
  for (const other of [
    null,
    undefined,
    'user/rejected',
    new Error('x'),
    { code: 4001, details: '' },
    { code: 'user/rejected' },
  ]) {
    expect(isLatchkeyError(other)).toBe(false)
  }
})

test('toLatchkeyError() converts any thrown value', () => {
  const ours = new LatchkeyError('app/no-project')
  expect(toLatchkeyError(ours)).toBe(ours)
  const abort = new DOMException('gone', 'AbortError')
  expect(toLatchkeyError(abort)).toMatchObject({
    code: 'request/aborted',
    message: 'Request was aborted',
    cause: abort,
  })
  expect(toLatchkeyError(new TypeError('bad'))).toMatchObject({ code: 'unknown', message: 'bad' })
  expect(toLatchkeyError('text').message).toBe('text')
  expect(toLatchkeyError({ odd: 1 }).message).toBe('Unknown error')
})

test('every message is in exactly one table', () => {
  const catalogue: Readonly<Record<ErrorCode, string>> = { ...messages, ...accountErrorMessages }
  for (const [code, text] of Object.entries(errorSentences)) expect(catalogue[code as ErrorCode]).toBe(text)
  for (const code of Object.keys(catalogue)) expect(isLatchkeyError({ code, details: undefined })).toBe(true)
})
