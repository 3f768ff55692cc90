import { type AccountId, accountId, addressOf, type ChainId, chainOf, namespaceOf } from '@latchkey/protocol/caip'
import { fakeClock } from '@latchkey/protocol/testing'
import { writeMessage } from '@latchkey/siwx/message'
import type { SignatureVerifiers } from '@latchkey/siwx/signIn'
import { signWith } from '@latchkey/siwx/testing'
import { eip155Verifier } from '@latchkey/siwx/verify/eip155'
import { solanaVerifier } from '@latchkey/siwx/verify/solana'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { authenticationTestSuite } from '../../testing/authenticationTestSuite.ts'
import { type MemoryStorage, memoryStorage } from '../../testing/memoryStorage.ts'
import type { AuthenticationAdapter, SignInFields, SignInSession } from '../signInTypes.ts'
import { localSignIn } from './lazyLocalAuthentication.ts'
import type { LocalSignInOptions } from './localSignInOptions.ts'

const mainnet: ChainId = 'eip155:1'
const polygon: ChainId = 'eip155:137'
const solana: ChainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const devnet: ChainId = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const shop = 'https://shop.example'
const key = '@latchkey/siwx'
const dayMs = 86_400_000
const verifiers: SignatureVerifiers = { eip155: eip155Verifier(), solana: solanaVerifier() }
const people = (['eip155', 'solana'] as const).flatMap((family) => [signWith(family, 1), signWith(family, 2)])
const [ada, bob, eve, dan] = people as [Person, Person, Person, Person]
type Person = ReturnType<typeof signWith>

function bench(input: Partial<LocalSignInOptions> & { storage?: MemoryStorage } = {}) {
  const clock = fakeClock(Date.UTC(2026, 10, 22))
  const storage = input.storage ?? memoryStorage()
  const authentication = localSignIn({ verifiers, origin: shop, clock, ...input, storage })
  const stored = (): readonly SignInSession[] => JSON.parse(storage.getItem(key) ?? '[]') as SignInSession[]
  return { clock, storage, authentication, stored }
}

function sign({ account, message }: { account: AccountId; message: string }): Promise<string> {
  const signer = people.find((person) => person.account(chainOf(account)) === account && isOf(person, account))
  return signer ? signer.sign(message) : Promise.reject(new Error(`Nobody has the key of ${account}`))
}

function isOf(person: Person, account: AccountId): boolean {
  return (namespaceOf(account) === 'eip155') === (person === ada || person === bob)
}

/** Creates a signed session for `account`. `changed` overrides fields of the message. */
async function proofOf(authentication: AuthenticationAdapter, account: AccountId, changed: Partial<SignInFields> = {}) {
  const chain = chainOf(account)
  const words = await authentication.createMessage({ account, chain })
  const data: SignInFields = { ...words, chainId: chain, accountAddress: addressOf(account), ...changed }
  const message = writeMessage(data)
  return { data, message, signature: await sign({ account, message }) }
}

async function signIn(authentication: AuthenticationAdapter, account: AccountId): Promise<void> {
  await authentication.addSession(await proofOf(authentication, account))
}

describe.each([
  ['EVM', [ada.account(mainnet), ada.account(polygon), bob.account(mainnet)]],
  ['Solana', [eve.account(solana), eve.account(devnet), dan.account(solana)]],
] as const)('localSignIn() passes the authentication test suite on %s', (_, accounts) => {
  const make = () => {
    const { authentication, clock } = bench()
    return { authentication, accounts, sign, holds: 'each', pass: clock.pass } as const
  }
  for (const { name, run } of authenticationTestSuite(make)) test(name, run)
})

test.each<[string, { chainId?: string; accountAddress?: string }]>([
  ['no address', { accountAddress: '' }],
  ['a fourth part', { accountAddress: `${addressOf(ada.account(mainnet))}:1` }],
  ['no reference', { chainId: 'eip155' }],
  ['an unknown namespace', { chainId: 'tezos:1' }],
])('a session whose account ID has %s is neither stored nor read [R5.7]', async (_, wrong) => {
  const { authentication, storage, stored } = bench()
  const proof = await proofOf(authentication, ada.account(mainnet))
  const session = { ...proof, data: { ...proof.data, ...wrong } as SignInFields }
  await expect(authentication.addSession(session)).rejects.toMatchObject({
    code: 'sign-in/refused',
    details: { reason: 'account' },
  })
  expect(stored()).toEqual([])
  storage.setItem(key, JSON.stringify([session]))
  expect(await authentication.getSessions(ada.account(mainnet))).toEqual([])
})

test('a message contains the page’s domain, an expiry and a 128-bit nonce [R3.10]', async () => {
  const { authentication } = bench({ statement: 'Welcome', resources: ['https://shop.example/terms'] })
  const words = await authentication.createMessage({ chain: mainnet })
  expect(words).toEqual({
    domain: 'shop.example',
    uri: shop,
    version: '1',
    nonce: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    issuedAt: '2026-11-22T00:00:00.000Z',
    expirationTime: '2026-11-23T00:00:00.000Z',
    statement: 'Welcome',
    resources: ['https://shop.example/terms'],
  })
  const brief = await bench({ expiresInMs: 60_000 }).authentication.createMessage({ chain: mainnet })
  expect(brief.expirationTime).toBe('2026-11-22T00:01:00.000Z')
})

test('a message has no statement or resources by default, and is valid for one day [R3.10]', async () => {
  for (const options of [{}, { resources: [] }])
    expect(await bench(options).authentication.createMessage({ chain: mainnet })).toEqual({
      domain: 'shop.example',
      uri: shop,
      version: '1',
      nonce: expect.any(String) as string,
      issuedAt: '2026-11-22T00:00:00.000Z',
      expirationTime: '2026-11-23T00:00:00.000Z',
    })
})

test('the origin defaults to the page’s origin, and is required if there is no page', async () => {
  const named = localSignIn({ verifiers, storage: memoryStorage() })
  await expect(named.createMessage({ chain: mainnet })).rejects.toMatchObject({ code: 'input/invalid' })
  vi.stubGlobal('location', new URL('http://localhost:3000/in?secret=1'))
  expect(await named.createMessage({ chain: mainnet })).toMatchObject({
    domain: 'localhost:3000',
    uri: 'http://localhost:3000',
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('rejects', () => {
  const refuses = async (
    proof: Promise<SignInSession>,
    authentication: AuthenticationAdapter,
    code: string,
    reason?: string,
  ) => {
    await expect(authentication.addSession(await proof)).rejects.toMatchObject({
      code,
      ...(reason && { details: { reason } }),
    })
  }

  test.each<[what: string, changed: Partial<SignInFields>, reason: string]>([
    ['a message for a different domain', { domain: 'shop.example.evil.example' }, 'domain'],
    ['a message for a different URI', { uri: 'https://evil.example' }, 'uri'],
    ['a message that has no expiry', { expirationTime: undefined as never }, 'expired'],
    ['an expired message', { expirationTime: '2026-11-21T00:00:00.000Z' }, 'expired'],
    ['a message that is not valid yet', { notBefore: '2026-11-22T00:05:00.000Z' }, 'not-yet-valid'],
  ])('%s', async (_, changed, reason) => {
    const { authentication, storage } = bench()
    await refuses(proofOf(authentication, ada.account(mainnet), changed), authentication, 'sign-in/refused', reason)
    expect(storage.all()).toEqual({})
  })

  test('a nonce that this page did not issue', async () => {
    const { authentication } = bench()
    const elsewhere = bench().authentication
    await refuses(proofOf(elsewhere, ada.account(mainnet)), authentication, 'sign-in/spent')
  })

  test('an expired nonce', async () => {
    const { authentication, clock } = bench()
    const proof = await proofOf(authentication, ada.account(mainnet))
    await clock.pass(600_000)
    await refuses(Promise.resolve(proof), authentication, 'sign-in/spent')
  })

  test('the second of two concurrent sessions with the same nonce', async () => {
    const { authentication, stored } = bench()
    const proof = await proofOf(authentication, ada.account(mainnet))
    const raced = await Promise.allSettled([authentication.addSession(proof), authentication.addSession(proof)])
    expect(raced.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(stored()).toHaveLength(1)
  })

  test('an invalid signature', async () => {
    const { authentication, storage } = bench()
    const proof = await proofOf(authentication, ada.account(mainnet))
    await refuses(Promise.resolve({ ...proof, signature: '0x1234' }), authentication, 'sign-in/invalid')
    expect(storage.all()).toEqual({})
  })

  test('an account in a chain family that has no verifier', async () => {
    const { authentication } = bench({ verifiers: { solana: solanaVerifier() } })
    await refuses(proofOf(authentication, ada.account(mainnet)), authentication, 'sign-in/invalid')
  })
})

test('setSessions() reports an invalid session and keeps the stored sessions', async () => {
  const { authentication, stored } = bench()
  await signIn(authentication, ada.account(mainnet))
  const before = stored()
  const good = await proofOf(authentication, bob.account(mainnet))
  const bad = { ...(await proofOf(authentication, ada.account(polygon))), signature: good.signature }
  await expect(authentication.setSessions([good, bad])).rejects.toMatchObject({ code: 'sign-in/invalid', cause: bad })
  expect(stored()).toEqual(before)
})

test('a wallet that signs one nonce for several networks while connecting is signed in on all of them [R4.12]', async () => {
  const { authentication } = bench()
  const words = await authentication.createMessage({ chain: mainnet })
  const cacao = { h: { t: 'caip122' } }
  const signed = [mainnet, polygon].map(async (chainId) => {
    const account = ada.account(chainId)
    const data = { ...words, chainId, accountAddress: addressOf(account) }
    const message = writeMessage(data)
    return { data, message, signature: await sign({ account, message }), cacao }
  })
  await authentication.setSessions(await Promise.all(signed))
  for (const chain of [mainnet, polygon])
    expect(await authentication.getSessions(ada.account(chain))).toMatchObject([{ cacao, data: { chainId: chain } }])
})

test('a session is stored with its data, message and signature, and with the CACAO if there is one [R3.9]', async () => {
  const { authentication, stored } = bench()
  const proof = await proofOf(authentication, ada.account(mainnet))
  await authentication.addSession({ ...proof, cacao: { h: { t: 'caip122' } } })
  expect(stored()).toEqual([{ ...proof, cacao: { h: { t: 'caip122' } } }])
})

test('after a reload, a session has the same parts, including a CACAO only if one was stored [R3.9]', async () => {
  const { authentication, storage, clock } = bench()
  const [plain, withCacao] = [
    await proofOf(authentication, ada.account(mainnet)),
    await proofOf(authentication, bob.account(mainnet)),
  ]
  const cacao = { h: { t: 'caip122' }, s: { t: 'eip191' } }
  await authentication.addSession(plain)
  await authentication.addSession({ ...withCacao, cacao })
  const reloaded = bench({ storage, clock }).authentication
  const [session] = await reloaded.getSessions(ada.account(mainnet))
  const [other] = await reloaded.getSessions(bob.account(mainnet))
  expect(Object.keys(session ?? {}).sort()).toEqual(['data', 'message', 'signature'])
  expect(session).toEqual(plain)
  expect(other).toEqual({ ...withCacao, cacao })
})

test.each(['data', 'message', 'signature'])('a stored session is ignored if its %s is missing [R3.9]', async (part) => {
  const { authentication, storage, clock, stored } = bench()
  await signIn(authentication, ada.account(mainnet))
  storage.setItem(key, JSON.stringify(stored().map((session) => ({ ...session, [part]: undefined }))))
  expect(await bench({ storage, clock }).authentication.getSessions(ada.account(mainnet))).toEqual([])
})

test('data that is not in the signed message is not stored [R3.9]', async () => {
  const { authentication, stored } = bench()
  const proof = await proofOf(authentication, ada.account(mainnet))
  const expirationTime = '2036-11-22T00:00:00.000Z'
  await authentication.addSession({
    ...proof,
    data: { ...proof.data, statement: 'I give you everything', expirationTime },
  })
  expect(stored()).toEqual([proof])
})

test('signing again replaces the earlier session', async () => {
  const { authentication, stored } = bench()
  await signIn(authentication, ada.account(mainnet))
  await signIn(authentication, bob.account(mainnet))
  await signIn(authentication, ada.account(mainnet))
  expect(stored().map(({ data }) => data.accountAddress)).toEqual(
    [bob, ada].map((who) => addressOf(who.account(mainnet))),
  )
})

describe('a stored session', () => {
  test('is valid after a reload until its message expires', async () => {
    const { authentication, storage, clock } = bench()
    await signIn(authentication, ada.account(mainnet))
    const reloaded = bench({ storage, clock }).authentication
    await clock.pass(dayMs - 1)
    expect(await reloaded.getSessions(ada.account(mainnet))).toHaveLength(1)
    await clock.pass(1)
    expect(await reloaded.getSessions(ada.account(mainnet))).toEqual([])
    expect(storage.all()).toEqual({})
  })

  test.each<[what: string, change: (proof: SignInSession) => unknown]>([
    ['a different signature', (proof) => ({ ...proof, signature: `0x${'1'.repeat(130)}` })],
    [
      'a changed expiry',
      (proof) => ({
        ...proof,
        message: proof.message.replace('2026-11-23', '2026-11-24'),
      }),
    ],
    [
      'a different domain',
      (proof) => ({ ...proof, message: proof.message.replaceAll('shop.example', 'evil.example') }),
    ],
    ['a message that is not a sign-in', (proof) => ({ ...proof, message: 'hello' })],
  ])('with %s is deleted when it is read, and other sessions are kept', async (_, change) => {
    const { authentication, storage, stored } = bench()
    await signIn(authentication, ada.account(mainnet))
    await signIn(authentication, bob.account(mainnet))
    const [first, second] = stored()
    storage.setItem(key, JSON.stringify([first && change(first), second]))
    expect(await authentication.getSessions(ada.account(mainnet))).toEqual([])
    expect(stored()).toEqual([second])
  })

  test('is not accepted for a different account, even if its stored data specifies that account', async () => {
    const { authentication, storage, stored } = bench()
    await signIn(authentication, ada.account(mainnet))
    const [proof] = stored()
    const accountAddress = addressOf(bob.account(mainnet))
    storage.setItem(key, JSON.stringify([{ ...proof, data: { ...proof?.data, accountAddress } }]))
    expect(await authentication.getSessions(bob.account(mainnet))).toEqual([])
  })

  test.each(['{', 'null', '{"a":1}', '[1,null,{}]', '[{"data":{},"message":"m","signature":"s"}]'])(
    'that is malformed (%s) is ignored without an error',
    async (text) => {
      const { authentication, stored } = bench({ storage: memoryStorage({ [key]: text }) })
      expect(await authentication.getSessions(ada.account(mainnet))).toEqual([])
      await signIn(authentication, ada.account(mainnet))
      expect(stored()).toHaveLength(1)
    },
  )

  test('is kept while no node is available to verify it', async () => {
    const { authentication, storage, clock, stored } = bench()
    await signIn(authentication, ada.account(mainnet))
    const offline = { eip155: () => Promise.reject(new Error('offline')) }
    const reloaded = bench({ storage, clock, verifiers: offline }).authentication
    await expect(reloaded.getSessions(ada.account(mainnet))).rejects.toMatchObject({ code: 'sign-in/no-node' })
    expect(stored()).toHaveLength(1)
  })

  test('that is not valid yet is kept until it becomes valid', async () => {
    const { authentication, storage, stored, clock } = bench()
    const proof = await proofOf(authentication, ada.account(mainnet), { notBefore: '2026-11-22T00:05:00.000Z' })
    storage.setItem(key, JSON.stringify([proof]))
    expect(await authentication.getSessions(ada.account(mainnet))).toEqual([])
    expect(stored()).toEqual([proof])
    await clock.pass(300_000)
    expect(await authentication.getSessions(ada.account(mainnet))).toEqual([proof])
  })

  test('is kept when an invalid session with the same signature or message is deleted', async () => {
    const { authentication, storage, stored } = bench()
    const valid = await proofOf(authentication, ada.account(mainnet))
    storage.setItem(key, JSON.stringify([{ ...valid, message: `${valid.message}\n` }, valid]))
    expect(await authentication.getSessions(ada.account(mainnet))).toEqual([valid])
    expect(stored()).toEqual([valid])
    const wrong = { ...valid, signature: `0x${'1'.repeat(130)}` }
    storage.setItem(key, JSON.stringify([wrong, valid]))
    expect(await authentication.getSessions(ada.account(mainnet))).toEqual([valid])
    expect(stored()).toEqual([valid])
  })

  test('is not rewritten when it is read', async () => {
    const storage = memoryStorage()
    const { authentication, clock } = bench({ storage })
    await signIn(authentication, ada.account(mainnet))
    let writes = 0
    const observed: LocalSignInOptions['storage'] = {
      getItem: (name) => storage.getItem(name),
      setItem: () => {
        writes += 1
      },
      removeItem: () => {
        writes += 1
      },
    }
    const reader = localSignIn({ verifiers, origin: shop, clock, storage: observed })
    expect(await reader.getSessions(ada.account(mainnet))).toHaveLength(1)
    expect(writes).toBe(0)
  })

  test.each<[what: string, change: (proof: SignInSession) => unknown]>([
    ['no message', ({ message: _, ...rest }) => rest],
    ['no signature', ({ signature: _, ...rest }) => rest],
    ['no data', ({ data: _, ...rest }) => rest],
    ['an invalid account', (proof) => ({ ...proof, data: { ...proof.data, accountAddress: 'a:b' } })],
  ])('with %s is dropped when another session is stored', async (_, change) => {
    const { authentication, storage, stored } = bench()
    const [first, second] = [
      await proofOf(authentication, ada.account(mainnet)),
      await proofOf(authentication, bob.account(mainnet)),
    ]
    storage.setItem(key, JSON.stringify([change(first)]))
    await authentication.addSession(second)
    expect(stored()).toEqual([second])
  })

  test('of a second instance is stored under a separate key', async () => {
    const { authentication, storage } = bench({ id: 'two' })
    await signIn(authentication, ada.account(mainnet))
    expect(Object.keys(storage.all())).toEqual(['@latchkey/two/siwx'])
  })
})

test('createMessage() and getSessions() reject if storage is unavailable, before the wallet is asked to sign', async () => {
  vi.stubGlobal('localStorage', undefined)
  const authentication = localSignIn({ verifiers, origin: shop })
  const requests = [
    authentication.createMessage({ chain: mainnet }),
    authentication.getSessions(accountId(mainnet, '0x1')),
  ]
  for (const request of requests) await expect(request).rejects.toMatchObject({ code: 'sign-in/no-storage' })
})

test('at most 64 messages can wait for a signature, and the oldest is dropped first', async () => {
  const { authentication, stored } = bench()
  const oldest = await proofOf(authentication, ada.account(mainnet))
  const second = await proofOf(authentication, bob.account(mainnet))
  for (let count = 2; count < 65; count += 1) await authentication.createMessage({ chain: mainnet })
  await expect(authentication.addSession(oldest)).rejects.toMatchObject({ code: 'sign-in/spent' })
  await authentication.addSession(second)
  expect(stored()).toEqual([second])
})

test('an error while reading storage is reported with the operation that failed', async () => {
  const storage: LocalSignInOptions['storage'] = {
    getItem: () => {
      throw new Error('denied')
    },
    setItem: () => {},
    removeItem: () => {},
  }
  await expect(
    localSignIn({ verifiers, origin: shop, storage }).getSessions(ada.account(mainnet)),
  ).rejects.toMatchObject({ code: 'storage/failed', details: { action: 'get', record: 'sign-in sessions' } })
})

test('an error while storing a session is reported', async () => {
  const { authentication, storage } = bench()
  const proof = await proofOf(authentication, ada.account(mainnet))
  storage.fail()
  await expect(authentication.addSession(proof)).rejects.toMatchObject({
    code: 'storage/failed',
    details: { action: expect.stringMatching(/^[gs]et$/) as string, record: 'sign-in sessions' },
  })
})
