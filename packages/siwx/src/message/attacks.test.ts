import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import { namespaces } from '@latchkey/protocol/caip'
import { seededRandom } from '@latchkey/protocol/testing'
import { describe, expect, test } from 'vitest'
import { fixtureOf, mutantOf, type SignInAttempt, signersOf, signInAttacks, validAttempt } from '../testing/attacks.ts'
import { eip155Verifier } from '../verify/eip155.ts'
import { verifiersFor } from '../verify/index.ts'
import { messageRuleNames, messageRules } from './messageRules.ts'
import { readMessage } from './messageText.ts'
import type { SignatureVerifiers, SignInFields, SignInVerdict } from './signInTypes.ts'
import { verifySignIn } from './verifySignIn.ts'
import { verifySignInWith } from './verifySignInWith.ts'

/** The seed for random values. `SEED=1 npx vitest …` repeats a run with the same values, except for the nonces. */
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 32)
const signers = signersOf()
const verifiers = verifiersFor(namespaces)

const handIn = async ({ message, signature, expected }: SignInAttempt): Promise<SignInVerdict> =>
  verifySignIn({ message, signature: await signature(), expected, verifiers })

describe.each(namespaces)(`%s, seed ${seed}`, (namespace) => {
  test.each(signInAttacks)('$name is rejected', async ({ attempt, refusals }) => {
    const random = seededRandom(seed)
    for (let round = 0; round < 4; round++) {
      const fixture = fixtureOf(random, namespace, signers)
      const tried = attempt(fixture, random)
      const verdict = await handIn(tried)
      expect({ ...tried, verdict }).toEqual({
        ...tried,
        verdict: { ok: false, reason: expect.toBeOneOf([...refusals]) },
      })
    }
  })

  test('1,000 random valid messages are accepted, and their fields are returned', { timeout: 120_000 }, async () => {
    const random = seededRandom(seed)
    for (let round = 0; round < 1_000; round++) {
      const fixture = fixtureOf(random, namespace, signers)
      const tried = validAttempt(fixture)
      expect(await handIn(tried), tried.message).toEqual({ ok: true, fields: fixture.fields })
    }
  })

  test('all 10,000 mutants are rejected, and removing any single rule would let some of them through', {
    timeout: 120_000,
  }, async () => {
    const random = seededRandom(seed)
    const missed = new Set<string>()
    const kinds = new Set<string>()
    for (let round = 0; round < 10_000; round++) {
      const mutant = mutantOf(fixtureOf(random, namespace, signers), random)
      kinds.add(mutant.name)
      const verdict = await handInLate(mutant, verifySignIn)
      if (verdict.ok) expect({ ...mutant, verdict, round }).toBe('refused')
      else for (const part of await missedWithout(mutant, verdict.reason, missed)) missed.add(part)
    }
    expect([...missed].sort()).toEqual(['reading', 'signature', ...messageRuleNames].sort())
    expect(kinds.size).toBe(signInAttacks.length + 1)
  })
})

/** Verifies a mutant. Signs it only when its signature is needed, because signing all 10,000 mutants would take too long. */
async function handInLate(
  { message, signature, expected }: SignInAttempt,
  way: (params: Parameters<typeof verifySignIn>[0]) => Promise<SignInVerdict>,
): Promise<SignInVerdict> {
  const late: SignatureVerifiers = Object.fromEntries(
    namespaces.map((family) => [
      family,
      async (signed) => verifiers[family]?.({ ...signed, signature: await signature() }) ?? false,
    ]),
  )
  return way({ message, signature: 'signed when it is looked at', expected, verifiers: late })
}

/** Returns the parts without which the mutant would be accepted. Parts that are already known to be needed are skipped. */
async function missedWithout(mutant: SignInAttempt, reason: string, known: ReadonlySet<string>): Promise<string[]> {
  const whole = { read: readMessage, made: messageRuleNames }
  const cases: Record<string, Parameters<typeof verifySignInWith>[1]> = {
    ...(reason === 'unreadable' ? { reading: { ...whole, read: readAnyhow } } : {}),
    ...Object.fromEntries(
      messageRuleNames
        .filter((name) => messageRules[name].refusal === reason)
        .map((name) => [name, { ...whole, made: messageRuleNames.filter((rule) => rule !== name) }]),
    ),
  }
  const found: string[] = []
  for (const [part, way] of Object.entries(cases)) {
    if (!known.has(part) && (await handInLate(mutant, (params) => verifySignInWith(params, way))).ok) found.push(part)
  }
  if (reason === 'signature' && !known.has('signature')) {
    const trusting = Object.fromEntries(namespaces.map((family) => [family, async () => true]))
    if ((await verifySignIn({ ...mutant, signature: '', verifiers: trusting })).ok) found.push('signature')
  }
  return found
}

/** Parses a message leniently: reads the lines that it recognizes and ignores everything else. */
function readAnyhow(text: string, namespace: Namespace): SignInFields | undefined {
  const line = (name: string): string | undefined => new RegExp(`^\\s*${name}:\\s*(.*?)\\s*$`, 'im').exec(text)?.[1]
  const [first = '', address = ''] = text.trim().split(/[\r\n\v\u2028]+/)
  const chain = line('Chain ID') ?? ''
  const optional = {
    issuedAt: line('Issued At'),
    expirationTime: line('Expiration Time'),
    notBefore: line('Not Before'),
  }
  return {
    domain: (first.split(' wants')[0] ?? '').replace(/^.*:\/\//, ''),
    accountAddress: address,
    uri: line('URI') ?? '',
    version: line('Version') ?? '',
    chainId: (chain.includes(':') ? chain : `${namespace}:${chain}`) as ChainId,
    nonce: line('Nonce') ?? '',
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  }
}

const yes = `0x1626ba7e${'0'.repeat(56)}`

describe('eip155 contracts', () => {
  test.each<[string, unknown]>([
    ['a boolean true', `0x${'1'.padStart(64, '0')}`],
    ['the magic value with padding on the wrong side', `0x${'1626ba7e'.padStart(64, '0')}`],
    ['the magic value and an extra byte', `${yes}00`],
    ['the magic value padded with one bits', `0x1626ba7e${'f'.repeat(56)}`],
    ['the magic value without padding', '0x1626ba7e'],
    ['an empty result', '0x'],
    ['a word in which every bit is set', `0x${'f'.repeat(64)}`],
    ['no result', undefined],
    ['the string true', 'true'],
    ['a JSON true', true],
  ])('a contract that returns %s is not accepted', async (_, answer) => {
    const fixture = fixtureOf(seededRandom(seed), 'eip155', signers)
    const { message, expected } = validAttempt(fixture)
    const eip155 = eip155Verifier({ call: async () => answer })
    const signature = await fixture.other.sign(message)
    const verdict = await verifySignIn({ message, signature, expected, verifiers: { eip155 } })
    expect(verdict).toEqual({ ok: false, reason: 'signature' })
    const honest = eip155Verifier({ call: async () => yes })
    expect(await verifySignIn({ message, signature, expected, verifiers: { eip155: honest } })).toMatchObject({
      ok: true,
    })
  })

  test('only the contract at the account’s own address and on its own chain is called', async () => {
    const requests: unknown[] = []
    const eip155 = eip155Verifier({
      call: async ({ chain, to }) => {
        requests.push(`${chain}:${to}`)
        return '0x'
      },
    })
    const fixture = fixtureOf(seededRandom(seed), 'eip155', signers)
    const { message, expected } = validAttempt(fixture)
    const verdict = await verifySignIn({
      message,
      signature: await fixture.other.sign(message),
      expected,
      verifiers: { eip155 },
    })
    expect(verdict).toEqual({ ok: false, reason: 'signature' })
    expect(requests).toEqual([expected.account])
  })

  test('a contract wallet that accepts every signature cannot sign in to a different page, at a different time or as a different account', async () => {
    const random = seededRandom(seed)
    const eip155 = eip155Verifier({ call: async () => yes })
    for (const { attempt, refusals } of signInAttacks.filter(({ at }) => at !== 'signature')) {
      const { message, signature, expected } = attempt(fixtureOf(random, 'eip155', signers), random)
      const verdict = await verifySignIn({ message, signature: await signature(), expected, verifiers: { eip155 } })
      expect(verdict).toEqual({ ok: false, reason: expect.toBeOneOf([...refusals]) })
    }
  })

  test('verification rejects if the node does not respond, instead of reporting an invalid signature', async () => {
    const eip155 = eip155Verifier({ call: () => Promise.reject(new Error('no node')) })
    const fixture = fixtureOf(seededRandom(seed), 'eip155', signers)
    const { message, expected } = validAttempt(fixture)
    const signature = await fixture.other.sign(message)
    await expect(verifySignIn({ message, signature, expected, verifiers: { eip155 } })).rejects.toThrow('no node')
  })
})
