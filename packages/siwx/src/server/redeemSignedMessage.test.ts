import type { ChainId } from '@latchkey/protocol/caip'
import type { SignedMessage } from '@latchkey/protocol/http/signInRoutes'
import { expect, test } from 'vitest'
import { writeMessage } from '../message/messageText.ts'
import type { SignatureVerifier, SignedText, SignInFields } from '../message/signInTypes.ts'
import { AuthError } from './authError.ts'
import { redeemSignedMessage } from './redeemSignedMessage.ts'
import { memoryReplayStore } from './replayStore.ts'
import type { AuthRequest } from './tokenTransport.ts'

const now = Date.UTC(2026, 0, 1)
const origin = 'https://shop.example'
const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

const fields: SignInFields = {
  domain: 'shop.example',
  uri: origin,
  version: '1',
  nonce: 'n0nce0001',
  chainId: 'eip155:10',
  accountAddress: address,
  issuedAt: new Date(now).toISOString(),
  expirationTime: new Date(now + 60_000).toISOString(),
}

/** Creates a server that has issued two nonces to the browser of a page on `origin`. */
function server({
  page = origin,
  chains,
  verifier = async () => true,
}: {
  page?: string | null
  chains?: readonly ChainId[]
  verifier?: SignatureVerifier
} = {}) {
  const outcomes: string[] = []
  const verified: SignedText[] = []
  const replayStore = memoryReplayStore()
  const authRequest: AuthRequest = {
    request: new Request('https://shop.example/auth'),
    relyingParty: { projectId: 'shop', allowsOrigin: () => true, isShared: false, isHttps: true },
    page: page ?? undefined,
  }
  const recorded: SignatureVerifier = (signed) => {
    verified.push(signed)
    return verifier(signed)
  }
  const verify = (signed: SignedMessage) =>
    redeemSignedMessage(authRequest, signed, {
      presented: {
        nonces: async () => [
          { token: 'first token', nonce: 'n0nce0001', exp: now / 1000 + 300 },
          { token: 'second token', nonce: 'n0nce0002', exp: now / 1000 + 300 },
        ],
        sessions: async () => [],
        end: async () => {},
      },
      replayStore,
      chains,
      verifiers: { eip155: recorded, solana: recorded },
      clock: () => now,
      onAttempt: (outcome) => outcomes.push(outcome),
    })
  return { verify, outcomes, verified, replayStore }
}

const message = writeMessage(fields)
const signature = '0xab'

/** Resolves to the error of a rejected sign-in, as the page receives it. */
async function rejection(promise: Promise<unknown>) {
  const error = await promise.catch((reason: unknown) => reason)
  if (!(error instanceof AuthError)) throw new Error('not rejected')
  return [error.status, error.field, error.message]
}

test('a signed message is verified for the account it contains, and the tokens of the other nonces stay valid', async () => {
  const { verify, outcomes, verified } = server()
  expect(await verify({ message, signature })).toEqual({ fields, otherNonces: ['second token'] })
  expect(verified).toEqual([{ account: `eip155:10:${address}`, message, signature }])
  expect(outcomes).toEqual([])
})

test('a nonce is accepted only once, even for concurrent requests', async () => {
  const { verify, outcomes, verified } = server()
  const both = await Promise.allSettled([verify({ message, signature }), verify({ message, signature })])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(verified).toHaveLength(1)
  expect(await rejection(verify({ message, signature }))).toEqual([
    401,
    'nonce',
    'The nonce has already been used: request a new one',
  ])
  expect(outcomes).toEqual(['nonce', 'nonce'])
})

test('a used nonce is kept until its token expires', async () => {
  const { verify, replayStore } = server({ verifier: async () => false })
  await rejection(verify({ message, signature }))
  await replayStore.sweep(now + 300_000)
  expect(await replayStore.isUsed('nonce n0nce0001')).toBe(true)
  await replayStore.sweep(now + 300_001)
  expect(await replayStore.isUsed('nonce n0nce0001')).toBe(false)
})

test('a nonce issued to a different browser is rejected', async () => {
  const { verify, outcomes, verified } = server()
  const other = writeMessage({ ...fields, nonce: 'n0nce0003' })
  const text = 'The nonce was not issued to this browser or has expired'
  expect(await rejection(verify({ message: other, signature }))).toEqual([401, 'nonce', text])
  // The nonce must be on a separate line, so a nonce in the statement does not count.
  const inStatement = writeMessage({ ...fields, nonce: 'n0nce0003', statement: 'Nonce: n0nce0001' })
  expect(await rejection(verify({ message: inStatement, signature }))).toMatchObject([401, 'nonce', expect.any(String)])
  expect([outcomes, verified]).toEqual([['nonce', 'nonce'], []])
})

test('a request without a page is rejected, and its nonce can still be used', async () => {
  const { verify, replayStore } = server({ page: null })
  expect(await rejection(verify({ message, signature }))).toMatchObject([401, 'nonce', expect.any(String)])
  expect(await replayStore.isUsed('nonce n0nce0001')).toBe(false)
})

test.each([
  ['a message that is not a string', { message: 7, signature }],
  ['a signature that is not a string', { message, signature: undefined }],
  ['a signature of 40,001 characters', { message, signature: 'a'.repeat(40_001) }],
  ['an account that is an object', { message, signature, data: { accountAddress: {} } }],
  ['a message that does not match any standard', { message: `Hello\nNonce: n0nce0001\n`, signature }],
])('%s is rejected', async (_, signed) => {
  const { verify, outcomes } = server()
  const text = 'The sign-in is not valid: unreadable'
  expect(await rejection(verify(signed as SignedMessage))).toEqual([401, 'unreadable', text])
  expect(outcomes).toEqual(['unreadable'])
})

test('a chain that the server does not accept is rejected, and the error contains the chain ID', async () => {
  const { verify, outcomes, verified } = server({ chains: ['eip155:1', solana] })
  const text = 'Signing in on eip155:10 is not supported'
  expect(await rejection(verify({ message, signature }))).toEqual([401, 'chain', text])
  expect([outcomes, verified]).toEqual([['chain'], []])
  expect(await server({ chains: ['eip155:1', 'eip155:10'] }).verify({ message, signature })).toMatchObject({ fields })
})

test('a message for a different page is rejected with the reason', async () => {
  const { verify, outcomes } = server({ page: 'https://other.example' })
  const text = 'The sign-in is not valid: domain'
  expect(await rejection(verify({ message, signature }))).toEqual([401, 'domain', text])
  expect(outcomes).toEqual(['domain'])
})

test('the page can retry later if no node for the chain responds', async () => {
  const { verify, outcomes } = server({ verifier: () => Promise.reject(new Error('no node')) })
  const text = 'The signature could not be verified because no node for the account’s chain is available'
  expect(await rejection(verify({ message, signature }))).toEqual([503, 'signature', text])
  expect(outcomes).toEqual(['unverified'])
})

test('the account that the page sends must match the account in the message', async () => {
  const other = '0x0000000000000000000000000000000000000001'
  const { verify } = server()
  const data = { chainId: 'eip155:10', accountAddress: other }
  expect(await rejection(verify({ message, signature, data }))).toMatchObject([401, 'account', expect.any(String)])
  // If the page does not send a valid account, the account in the message is expected.
  for (const unreadable of [null, {}, { chainId: 'eip155:10' }, { chainId: 'nowhere', accountAddress: other }])
    expect(await server().verify({ message, signature, data: unreadable })).toMatchObject({ fields })
})

test('if a message contains only the reference of a chain ID, the chain ID that the page sends determines the namespace', async () => {
  const account = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
  const inSolana = { ...fields, chainId: solana, accountAddress: account } as const
  const short = writeMessage(inSolana, undefined, 'caip122-reference')
  expect(short).toContain(`\nChain ID: 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp\n`)
  const data = { chainId: solana, accountAddress: account }
  const { verify, verified } = server()
  expect(await verify({ message: short, signature, data })).toMatchObject({ fields: inSolana })
  expect(verified).toMatchObject([{ account: `${solana}:${account}` }])
  const whole = writeMessage(inSolana, undefined, 'caip122')
  expect(whole).toContain(`\nChain ID: ${solana}\n`)
  expect(await server().verify({ message: whole, signature, data: { chainId: 'eip155:10' } })).toMatchObject({
    fields: inSolana,
  })
})
