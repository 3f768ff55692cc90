import { expect, test } from 'vitest'
import { catalogue, failure, frameReports, onScreen, relayFailure } from './errors/catalogue.ts'
import type { ErrorCode } from './errors.ts'
import { errorSentences, isLatchkeyError, LatchkeyError, toLatchkeyError } from './errors.ts'

// Section 8 of the specification, text by text.
test.each<[row: string, code: ErrorCode, text: string]>([
  ['R8.1', 'request/aborted', 'Request was aborted'],
  ['R8.1', 'frame/aborted', 'Something went wrong'],
  ['R8.1', 'frame/no-iframe', 'W3mFrame: iframe is not set'],
  ['R8.1', 'frame/no-parent', 'W3mFrame: parent is not set'],
  ['R8.1', 'frame/load-failed', 'Unable to load email login dependency'],
  ['R8.1', 'frame/not-allowed', 'Requested RPC call is not allowed'],
  ['R8.1', 'frame/unreachable', 'Network Error - Could not load embedded wallet'],
  ['R8.1', 'frame/timeout', 'Embedded Wallet Request Timed Out'],
  ['R8.8', 'app/origin-not-allowed', 'Invalid App Configuration'],
  ['R8.8', 'network/not-found', 'Network Not Found'],
  ['R8.8', 'app/no-project', 'Project ID Not Configured'],
  ['R8.8', 'disconnect/failed', 'Failed to disconnect'],
  ['R8.9', 'relay/session-expired', 'Session Expired'],
  ['R8.9', 'relay/invalid-key', 'Unauthorized: invalid key'],
  ['R8.9', 'relay/invalid-target', 'Invalid target, expected id:number or topic:string'],
  ['R8.10', 'sign-in/not-initialised', 'A problem occurred while trying initialize authentication'],
  ['R8.10', 'sign-in/no-smart-accounts', 'This application might not support Smart Accounts'],
  ['R8.10', 'sign-in/declined', 'Signature declined'],
  ['R8.11', 'cacao/unknown-type', 'verifySignature failed: Attempted to verify CacaoSignature with unknown type'],
  ['R8.11', 'cacao/bad-chain', 'isValidEip1271Signature failed: chainId must be in CAIP-2 format'],
  ['R8.11', 'recap/missing', 'No recap provided'],
  ['R8.11', 'recap/no-att', 'No `att` property found'],
  ['R8.11', 'recap/bad-resource', 'Resource must be an object'],
  ['R8.12', 'history/failed', 'Failed to fetch transactions'],
  ['R8.12', 'history/no-address', "Transactions can't be fetched without an accountAddress"],
  ['R8.12', 'balance/unavailable', 'Token Balance Unavailable'],
  ['R8.12', 'swap/unsupported', 'Network not supported for Swaps'],
  ['R8.12', 'swap/no-gas-price', 'Network not supported for Gas Price'],
  ['R8.12', 'send/incomplete', 'An amount and receiver address are required'],
  ['R8.12', 'send/no-token', 'A token is required'],
  ['R8.12', 'send/unsupported', 'Unsupported chain'],
  ['R5.13', 'sign-in/off', 'SIWX is not enabled'],
  ['R5.13', 'sign-in/no-address', 'No ActiveCaipAddress found'],
  ['R5.13', 'sign-in/no-network', 'No ActiveCaipNetwork or client found'],
  ['R5.13', 'sign-in/no-client', 'No ConnectionController client found'],
])('the catalogue has its text [%s] for %s', (_, code, text) => {
  expect(catalogue[code]).toBe(text)
})

test('a set-up error reads as specified where it is thrown [R8.8]', () => {
  expect(new LatchkeyError('app/origin-not-allowed', { origin: 'https://a.example' }).message).toBe(
    'Invalid App Configuration',
  )
  expect(new LatchkeyError('network/not-found', { chain: 'eip155:5' }).message).toBe('Network Not Found')
  expect(new LatchkeyError('app/no-project').message).toBe('Project ID Not Configured')
  expect(new LatchkeyError('disconnect/failed', { message: 'x' }).message).toBe('Failed to disconnect')
})

test('a storage failure says what could not be done [R8.2]', () => {
  const say = (action: string, record: string): string =>
    new LatchkeyError('storage/failed', { action, record }).message
  expect(say('set', 'active namespace')).toBe('Unable to set active namespace')
  expect(say('get', 'balance cache')).toBe('Unable to get balance cache')
})

test('the frame speaks for itself, else an error occurred [R8.1]', () => {
  expect(failure('frame/failed', { message: 'No such code' }).message).toBe('No such code')
  expect(failure('frame/failed', {}).message).toBe('An error occurred')
  expect(onScreen['frame/not-allowed']).toBe('Action not allowed')
})

test('the frame reports its two failures by name [R8.5]', () => {
  expect(Object.values(frameReports)).toEqual(['iframe_load_failed', 'iframe_request_timeout'])
})

test('a throttled e-mail counts the seconds [R5.4]', () => {
  expect(failure('email/throttled', { seconds: 7 }).message).toBe('Please try again after 7 seconds')
})

test.each([
  ['Unauthorized: origin not allowed', 'app/origin-not-allowed'],
  ['3000: Unauthorized: invalid key', 'relay/invalid-key'],
  ['JWT validation error: JWT Token is not yet valid: 1', 'relay/session-expired'],
  ['socket hang up', undefined],
])('a relay that says "%s" means %s [R8.8, R8.9]', (text, code) => {
  expect(relayFailure(text)).toBe(code)
})

test('an error carries code, details, sentence and cause', () => {
  const cause = new Error('deep')
  const error = new LatchkeyError('request/timeout', { request: 'connect', afterMs: 500 }, { cause })
  expect(error).toMatchObject({
    name: 'LatchkeyError',
    code: 'request/timeout',
    details: { request: 'connect', afterMs: 500 },
  })
  expect(error.message).toBe('"connect" had no answer after 500 ms.')
  expect(error.cause).toBe(cause)
  expect(failure('cacao/unknown-type', { type: 'x' }, { cause }).cause).toBe(cause)
})

test('details cannot smuggle blanks or patterns into a sentence', () => {
  expect(new LatchkeyError('wallet/failed', { message: '{connectorId} $& {message}' }).message).toBe(
    'The wallet failed: {connectorId} $& {message}',
  )
})

test('ours are recognised by code on either side of a window, others are not', () => {
  const error = new LatchkeyError('user/rejected', { request: 'connect' })
  const travelled: unknown = { code: error.code, details: error.details }
  for (const one of [error, travelled]) {
    expect(isLatchkeyError(one)).toBe(true)
    expect(isLatchkeyError(one, 'user/rejected')).toBe(true)
    expect(isLatchkeyError(one, 'wallet/busy')).toBe(false)
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

test('anything thrown becomes one of ours', () => {
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

test('each sentence ends its life in one table', () => {
  for (const [code, text] of Object.entries(errorSentences)) expect(catalogue[code as ErrorCode]).toBe(text)
  for (const code of Object.keys(catalogue)) expect(isLatchkeyError({ code, details: undefined })).toBe(true)
})
