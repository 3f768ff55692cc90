import { expect, test } from 'vitest'
import { frameError } from './frameError.ts'
import { frameTexts } from './messages.ts'

test('an unreachable server is reported with the retry delay if the frame’s message includes a delay', () => {
  expect(frameError(`${frameTexts.serverAway} Try again in 30 seconds`, 'GET_USER', undefined)).toMatchObject({
    code: 'wallet/unreachable',
    details: { retryAfterMs: 30_000 },
  })
  expect(frameError(`${frameTexts.serverAway}. Try again in 1 second`, 'GET_USER', undefined).details).toMatchObject({
    retryAfterMs: 1_000,
  })
  expect(frameError(frameTexts.serverAway, 'GET_USER', undefined).details).toEqual({ connectorId: 'ID_AUTH' })
})

test('only wallet requests can be rejected by the user', () => {
  const request = { method: 'personal_sign', params: [] }
  expect(frameError(frameTexts.rejected, 'RPC_REQUEST', request)).toMatchObject({
    code: 'user/rejected',
    details: { request: 'personal_sign' },
  })
  expect(frameError(frameTexts.rejected, 'GET_USER', undefined)).toMatchObject({ code: 'frame/failed' })
})

test('an error without a message gets the default message', () => {
  expect(frameError('', 'GET_USER', undefined)).toMatchObject({ code: 'frame/failed', message: 'An error occurred' })
})

test('passkeys that do not work are reported with a code, for logins only', () => {
  for (const name of ['CONNECT_PASSKEY', 'CONNECT_WINDOW'] as const)
    expect(frameError(frameTexts.noPasskeys, name, undefined).code).toBe('frame/no-passkeys')
  expect(frameError(frameTexts.noPasskeys, 'RPC_REQUEST', { method: 'eth_call' }).code).toBe('frame/failed')
})
