import { type AccountId, addressOf, type ChainId } from '@latchkey/protocol/caip'
import { fakeClock } from '@latchkey/protocol/testing'
import { readMessage, writeMessage } from '@latchkey/siwx/message'
import { signWith, type TestSigner } from '@latchkey/siwx/testing'
import { eip155Verifier } from '@latchkey/siwx/verify/eip155'
import { describe, expect, test } from 'vitest'
import { type AuthenticationSubject, authenticationTestSuite } from '../../testing/authenticationTestSuite.ts'
import { siwe } from './lazySiweAuthentication.ts'
import type { SiweMessageArgs, SiweOptions, SiweSession } from './siweOptions.ts'

const mainnet: ChainId = 'eip155:1'
const polygon: ChainId = 'eip155:137'
const ada = signWith('eip155', 1)
const bob = signWith('eip155', 2)
const solana: AccountId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'

/** Creates a host's back end with a single session. `calls` lists the calls in order. */
function backEnd(now: SiweSession | null = null): {
  options: SiweOptions
  calls: string[]
  session: () => SiweSession | null
} {
  const calls: string[] = []
  const nonces = new Set<string>()
  const verify = eip155Verifier()
  let session = now
  const options: SiweOptions = {
    async getNonce() {
      const nonce = `n0nce${String(nonces.size).padStart(8, '0')}`
      nonces.add(nonce)
      return nonce
    },
    getMessageParams: async () => ({ domain: 'shop.example', uri: 'https://shop.example' }),
    async verifyMessage({ message, signature }) {
      calls.push('verify')
      const fields = readMessage(message, 'eip155')
      if (!fields || !nonces.delete(fields.nonce)) return false
      const account: AccountId = `${fields.chainId}:${fields.accountAddress}`
      if (!(await verify({ account, message, signature }))) return false
      session = { address: fields.accountAddress, chainId: Number(fields.chainId.split(':')[1]) }
      return true
    },
    getSession: async () => session,
    async signOut() {
      calls.push('sign out')
      session = null
      return true
    },
  }
  return { options, calls, session: () => session }
}

const atAda: SiweSession = { address: addressOf(ada.account(mainnet)), chainId: 1 }

function signerOf(account: AccountId): TestSigner {
  return addressOf(account) === addressOf(ada.account(mainnet)) ? ada : bob
}

describe('the authentication test suite, with SIWE callbacks', () => {
  const make = (): AuthenticationSubject => ({
    authentication: siwe(backEnd().options),
    accounts: [ada.account(mainnet), ada.account(polygon), bob.account(mainnet)],
    sign: ({ account, message }) => signerOf(account).sign(message),
    holds: 'newest',
  })
  for (const { name, run } of authenticationTestSuite(make)) test(name, run)
})

test('omitted options have the classic defaults', () => {
  const { options } = backEnd()
  expect(siwe(options)).toMatchObject({ view: 'ConnectingSiwe', signOutOnDisconnect: true })
  expect(siwe(options).getRequired?.()).toBe(true)
  expect(siwe({ ...options, required: false }).getRequired?.()).toBe(false)
  expect(siwe({ ...options, enabled: false }).getRequired?.()).toBe(false)
  expect(siwe({ ...options, signOutOnDisconnect: false }).signOutOnDisconnect).toBe(false)
})

test('the host’s createMessage() receives a did:pkh address, a numeric chain ID and the host’s message fields [R3.10]', async () => {
  const requests: SiweMessageArgs[] = []
  const authentication = siwe({
    ...backEnd().options,
    createMessage(args) {
      requests.push(args)
      return `sign ${args.nonce}`
    },
    getMessageParams: async () => ({
      domain: 'shop.example',
      uri: 'https://shop.example/in',
      statement: 'Welcome',
      iat: '2026-11-22T00:00:00.000Z',
      exp: '2026-11-23T00:00:00.000Z',
      nbf: '2026-11-22T00:00:00.000Z',
      requestId: '7',
      resources: ['https://shop.example/terms'],
    }),
  })
  const account = ada.account(polygon)
  const words = await authentication.createMessage({ account, chain: polygon })
  const text = await authentication.writeMessage?.({ ...words, chainId: polygon, accountAddress: addressOf(account) })
  expect(text).toBe('sign n0nce00000000')
  expect(requests).toEqual([
    {
      address: `did:pkh:eip155:137:${addressOf(account)}`,
      chainId: 137,
      domain: 'shop.example',
      uri: 'https://shop.example/in',
      version: '1',
      nonce: 'n0nce00000000',
      statement: 'Welcome',
      iat: '2026-11-22T00:00:00.000Z',
      exp: '2026-11-23T00:00:00.000Z',
      nbf: '2026-11-22T00:00:00.000Z',
      requestId: '7',
      resources: ['https://shop.example/terms'],
    },
  ])
})

test('a message has the current time and no optional fields by default [R3.10]', async () => {
  const { options } = backEnd()
  const authentication = siwe({ ...options, clock: fakeClock(Date.UTC(2026, 10, 22)) })
  expect(await authentication.createMessage({ chain: mainnet })).toEqual({
    domain: 'shop.example',
    uri: 'https://shop.example',
    version: '1',
    nonce: 'n0nce00000000',
    issuedAt: '2026-11-22T00:00:00.000Z',
  })
  expect(authentication.writeMessage).toBeUndefined()
})

test('the host’s message parameters are mapped to message fields [R3.10]', async () => {
  const authentication = siwe({
    ...backEnd().options,
    getMessageParams: async () => ({
      domain: 'shop.example',
      uri: 'https://shop.example/in',
      statement: 'Welcome',
      iat: '2026-11-22T00:00:00.000Z',
      exp: '2026-11-23T00:00:00.000Z',
      nbf: '2026-11-21T00:00:00.000Z',
      requestId: '7',
      resources: ['https://shop.example/terms'],
    }),
  })
  expect(await authentication.createMessage({ chain: mainnet })).toEqual({
    domain: 'shop.example',
    uri: 'https://shop.example/in',
    version: '1',
    nonce: 'n0nce00000000',
    statement: 'Welcome',
    issuedAt: '2026-11-22T00:00:00.000Z',
    expirationTime: '2026-11-23T00:00:00.000Z',
    notBefore: '2026-11-21T00:00:00.000Z',
    requestId: '7',
    resources: ['https://shop.example/terms'],
  })
})

test('the back end receives the message, the signature, and the CACAO if there is one [R3.9]', async () => {
  const received: unknown[] = []
  const authentication = siwe({
    ...backEnd().options,
    async verifyMessage(signed) {
      received.push(signed)
      return true
    },
  })
  const data = {
    ...(await authentication.createMessage({ chain: mainnet })),
    chainId: mainnet,
    accountAddress: atAda.address,
  }
  const cacao = { h: { t: 'caip122' } }
  await authentication.addSession({ data, message: 'one', signature: '0x01' })
  await authentication.addSession({ data, message: 'two', signature: '0x02', cacao })
  await authentication.setSessions([{ data, message: 'three', signature: '0x03', cacao }])
  expect(received).toStrictEqual([
    { message: 'one', signature: '0x01' },
    { message: 'two', signature: '0x02', cacao },
    { message: 'three', signature: '0x03', cacao },
  ])
})

test('createMessage() rejects if the host returns no message parameters', async () => {
  const authentication = siwe({ ...backEnd().options, getMessageParams: async () => null })
  await expect(authentication.createMessage({ chain: mainnet })).rejects.toMatchObject({
    code: 'sign-in/no-message-params',
  })
})

test('if the back end rejects a message, the user is not signed in and onSignIn is not called', async () => {
  const { options } = backEnd()
  const signedIn: SiweSession[] = []
  const authentication = siwe({ ...options, onSignIn: (session) => signedIn.push(session) })
  const account = ada.account(mainnet)
  const words = await authentication.createMessage({ account, chain: mainnet })
  const data = { ...words, chainId: mainnet, accountAddress: addressOf(account) }
  const refused = authentication.addSession({ data, message: 'sign this', signature: '0x' })
  await expect(refused).rejects.toMatchObject({ code: 'sign-in/invalid' })
  expect(signedIn).toEqual([])
})

describe('a session is valid', () => {
  test('for accounts in other chain families, which are never verified', async () => {
    const { options, calls } = backEnd()
    const authentication = siwe(options)
    const [session, ...others] = await authentication.getSessions(solana)
    expect(others).toEqual([])
    expect(session).toMatchObject({ data: { accountAddress: addressOf(solana) }, message: '', signature: '' })
    if (session) await authentication.addSession(session)
    expect(calls).toEqual([])
  })

  test('for every account if sign-in is disabled', async () => {
    expect(await siwe({ ...backEnd().options, enabled: false }).getSessions(ada.account(mainnet))).toHaveLength(1)
  })

  test.each([
    ['an address', { address: '', chainId: 1 }],
    ['a chain', { address: atAda.address, chainId: 0 }],
  ])('only if it has %s', async (_, session) => {
    expect(await siwe(backEnd(session).options).getSessions(ada.account(mainnet))).toEqual([])
  })

  test('only on the network on which the user signed in, but does not end when a different network is looked up', async () => {
    const { options, calls } = backEnd(atAda)
    const authentication = siwe(options)
    expect(await authentication.getSessions(ada.account(polygon))).toEqual([])
    expect(calls).toEqual([])
    expect(await authentication.getSessions(ada.account(mainnet))).toHaveLength(1)
  })

  test('on every network if signOutOnNetworkChange is false', async () => {
    const authentication = siwe({ ...backEnd(atAda).options, signOutOnNetworkChange: false })
    const [session] = await authentication.getSessions(ada.account(polygon))
    expect(session?.data).toMatchObject({ chainId: mainnet, accountAddress: atAda.address })
  })

  test('only for the address that signed in, and ends when a different address is looked up', async () => {
    const { options, calls, session } = backEnd(atAda)
    let signedOut = 0
    const authentication = siwe({ ...options, onSignOut: () => signedOut++ })
    expect(await authentication.getSessions(bob.account(mainnet))).toEqual([])
    expect(calls).toEqual(['sign out'])
    expect(session()).toBeNull()
    expect(signedOut).toBe(1)
  })

  test('for every address if signOutOnAccountChange is false', async () => {
    const { options, calls } = backEnd(atAda)
    const authentication = siwe({ ...options, signOutOnAccountChange: false })
    expect(await authentication.getSessions(bob.account(mainnet))).toHaveLength(1)
    expect(calls).toEqual([])
  })
})

test('revoking the sessions on all networks at the same time signs the user out only once', async () => {
  const { options, calls } = backEnd(atAda)
  const authentication = siwe(options)
  const left = [mainnet, polygon, mainnet].map((chain) => authentication.revokeSession(ada.account(chain)))
  await Promise.all([...left, authentication.setSessions([])])
  expect(calls).toEqual(['sign out'])
})

test('a sign-out in progress is not repeated', async () => {
  const { options, calls } = backEnd(atAda)
  let goOn = (): void => {}
  const hold = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const authentication = siwe({ ...options, signOut: () => hold.then(options.signOut) })
  const first = authentication.revokeSession(ada.account(mainnet))
  const second = authentication.getSessions(bob.account(mainnet))
  goOn()
  await Promise.all([first, second])
  expect(calls).toEqual(['sign out'])
})

test('signing out sends no request if there is no session', async () => {
  const { options, calls } = backEnd()
  await siwe(options).revokeSession(ada.account(mainnet))
  expect(calls).toEqual([])
})

test('a failed sign-out is reported, and the next sign-out tries again', async () => {
  const { options } = backEnd(atAda)
  let tries = 0
  const authentication = siwe({ ...options, signOut: async () => ++tries > 1 })
  await expect(authentication.revokeSession(ada.account(mainnet))).rejects.toMatchObject({
    code: 'sign-in/not-signed-out',
  })
  await authentication.revokeSession(ada.account(mainnet))
  expect(tries).toBe(2)
})

test('if a wallet signed several messages while connecting, the message for the active network is verified [R4.12]', async () => {
  const { options, session } = backEnd()
  const authentication = siwe(options)
  const words = await authentication.createMessage({ chain: polygon })
  const signed = await Promise.all(
    [mainnet, polygon].map(async (chain) => {
      const data = { ...words, chainId: chain, accountAddress: atAda.address }
      const message = writeMessage(data)
      return { data, message, signature: await ada.sign(message) }
    }),
  )
  await authentication.setSessions(signed)
  expect(session()).toMatchObject({ chainId: 137 })
})
