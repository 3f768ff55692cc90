import { expect, test } from 'vitest'
import type { ErrorCode } from '../latchkeyError.ts'
import { accountErrorMessages } from './accountErrorMessages.ts'
import { catalogue, failure } from './errorMessages.ts'

const messages = { ...catalogue, ...accountErrorMessages }

// The messages in section 8 of the specification.
test.each<[row: string, code: ErrorCode, text: string]>([
  ['R8.1', 'request/aborted', 'Request was aborted'],
  ['R8.1', 'frame/aborted', 'Something went wrong'],
  ['R8.1', 'frame/no-iframe', 'W3mFrame: iframe is not set'],
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
  ['R8.12', 'balance/unavailable', 'Token Balance Unavailable'],
  ['R8.12', 'transactions/failed', 'Failed to fetch transactions'],
  ['R8.12', 'transactions/no-account', "Transactions can't be fetched without an accountAddress"],
  ['R8.12', 'send/incomplete', 'An amount and receiver address are required'],
  ['R8.12', 'send/no-token', 'A token is required'],
  ['R8.12', 'send/unsupported-chain', 'Unsupported chain'],
  ['R8.12', 'swap/unsupported-network', 'Network not supported for Swaps'],
  ['R8.12', 'swap/no-gas-price', 'Network not supported for Gas Price'],
  ['R5.13', 'sign-in/off', 'SIWX is not enabled'],
  ['R5.13', 'sign-in/no-address', 'No ActiveCaipAddress found'],
  ['R5.13', 'sign-in/no-network', 'No ActiveCaipNetwork or client found'],
  ['R5.13', 'sign-in/no-client', 'No ConnectionController client found'],
])('the catalogue has the specified message [%s] for %s', (_, code, text) => {
  expect(messages[code]).toBe(text)
})

test('a frame failure without a message has the specified message [R8.1]', () => {
  expect(failure('frame/failed', {}).message).toBe('An error occurred')
})

test.each([
  ['missing-key', /key .*missing/],
  ['invalid-key', /key .*invalid/],
  ['expired-key', /key .*has expired/],
  ['timeout', /timed out/],
  ['rate-limited', /too many/i],
  ['blocked-by-csp', /content security policy/],
  ['script-failed', /script .*could not be loaded/],
] as const)('visitor identification has a message for %s [R8.6]', (what, words) => {
  expect(failure(`identify/${what}`).message).toMatch(words)
})

test('no two errors in the catalog have the same message', () => {
  const texts = Object.values(messages)
  expect(new Set(texts).size).toBe(texts.length)
})
