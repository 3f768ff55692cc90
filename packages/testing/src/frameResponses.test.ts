import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createFrameResponses } from './frameResponses.ts'
import { testAccounts } from './testAccounts.ts'

const account = privateKeyToAccount(testAccounts[0].privateKey)

function frameResponses(user?: string) {
  return createFrameResponses({ account, user, otp: '123456', reload: () => {} })
}

test('a user logs in with the code and logs out again', () => {
  const responses = frameResponses()
  expect(() => responses.respond('GET_USER', undefined)).toThrow('Not logged in.')
  expect(() => responses.respond('CONNECT_OTP', { otp: '123456' })).toThrow()
  responses.respond('CONNECT_EMAIL', { email: 'ada@example.org' })
  expect(() => responses.respond('CONNECT_OTP', { otp: '000000' })).toThrow()
  responses.respond('CONNECT_OTP', { otp: '123456' })
  expect(responses.respond('GET_USER', undefined)).toMatchObject({ email: 'ada@example.org', address: account.address })
  responses.respond('SIGN_OUT', undefined)
  expect([responses.user, responses.respond('IS_CONNECTED', undefined)]).toEqual([undefined, { isConnected: false }])
})

test('the email address changes once the new address is confirmed', () => {
  const responses = frameResponses('ada@example.org')
  responses.respond('UPDATE_EMAIL', { email: 'ada@new.example' })
  responses.respond('UPDATE_EMAIL_PRIMARY_OTP', { otp: '123456' })
  expect(responses.user).toBe('ada@example.org')
  responses.respond('UPDATE_EMAIL_SECONDARY_OTP', { otp: '123456' })
  expect(responses.user).toBe('ada@new.example')
})

test('SWITCH_NETWORK returns a numeric chain ID for an EVM network, and the CAIP-2 ID for any other network', () => {
  const responses = frameResponses('ada@example.org')
  const chainIds = ['eip155:10', '137', 'solana:mainnet'].map((chainId) =>
    responses.respond('SWITCH_NETWORK', { chainId }),
  )
  expect(chainIds).toEqual([{ chainId: 10 }, { chainId: 137 }, { chainId: 'solana:mainnet' }])
  expect(responses.respond('GET_CHAIN_ID', undefined)).toEqual({ chainId: 'solana:mainnet' })
})

test('allowed requests are signed, and others are rejected', async () => {
  const responses = frameResponses('ada@example.org')
  const request = (method: string, params: unknown[]) => responses.respond('RPC_REQUEST', { method, params })
  expect(await request('personal_sign', ['hi', account.address])).toBe(await account.signMessage({ message: 'hi' }))
  await expect(request('eth_sign', [])).rejects.toThrow('Requested RPC call is not allowed')
})
