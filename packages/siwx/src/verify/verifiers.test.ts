import { type AccountId, addressOf, type ChainId, chainOf, type Namespace, namespaces } from '@latchkey/protocol/caip'
import { seededRandom } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { malleatedSignature, signWith } from '../testing/testSigner.ts'
import { verifiersFor } from './index.ts'

const chains: Readonly<Record<Namespace, ChainId>> = {
  eip155: 'eip155:1',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  bip122: 'bip122:000000000019d6689c085ae165831e93',
  polkadot: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
  cosmos: 'cosmos:cosmoshub-4',
}
const verifiers = verifiersFor(namespaces)
const holds = (family: Namespace, account: AccountId, message: string, signature: string): Promise<boolean> => {
  const verify = verifiers[family]
  if (!verify) throw new Error(`No verifier of ${family}`)
  return verify({ account, message, signature })
}
const text = 'shop.example wants you to sign in\nGrüße & <b>alle</b> 🦊'

test.each(namespaces)('%s: a signature verifies only for its own message, account and namespace', async (family) => {
  const [mine, other] = [signWith(family, 1), signWith(family, 2)]
  const account = mine.account(chains[family])
  const signature = await mine.sign(text)
  expect(await holds(family, account, text, signature)).toBe(true)
  expect(await holds(family, account, `${text} `, signature)).toBe(false)
  expect(await holds(family, account, text.normalize('NFD'), signature)).toBe(false)
  expect(await holds(family, other.account(chains[family]), text, signature)).toBe(false)
  expect(await holds(family, account, text, await other.sign(text))).toBe(false)
  for (const elsewhere of namespaces.filter((name) => name !== family)) {
    expect(await holds(family, signWith(elsewhere, 1).account(chains[elsewhere]), text, signature)).toBe(false)
    expect(await holds(elsewhere, account as never, text, signature)).toBe(false)
    const borrowed = `${chains[elsewhere]}:${addressOf(account)}` as AccountId
    expect(await holds(elsewhere, borrowed, text, signature)).toBe(false)
  }
})

test.each(namespaces)('%s: a malleated signature of the same message by the same key is rejected', async (family) => {
  for (let seed = 1; seed <= 8; seed++) {
    const signer = signWith(family, seed)
    const account = signer.account(chains[family])
    const twin = malleatedSignature(family, await signer.sign(text))
    expect(await holds(family, account, text, twin)).toBe(false)
    // Malleating the signature again restores the original, which is still accepted.
    if (family !== 'solana' && family !== 'polkadot')
      expect(await holds(family, account, text, malleatedSignature(family, twin))).toBe(true)
  }
})

test.each(namespaces)('%s: an invalid signature resolves to false and never throws', async (family) => {
  const thrown = seededRandom(5)
  const signer = signWith(family, 3)
  const account = signer.account(chains[family])
  const signature = await signer.sign(text)
  const broken = [
    '',
    '0',
    '0x',
    '{}',
    'null',
    '[]',
    ' ',
    '\u0000',
    '🦊',
    'A'.repeat(100_000),
    `0x${'f'.repeat(130)}`,
    `0x${'0'.repeat(128)}`,
    '1'.repeat(64),
    // Whitespace around JSON does not change its value.
    ...(family === 'cosmos' ? [] : [` ${signature}`, `${signature} `]),
    signature.slice(1),
    signature.slice(0, -1),
    signature + signature,
    ...Array.from({ length: 200 }, () => {
      const at = thrown.int(signature.length)
      return signature.slice(0, at) + thrown.pick([...'0123456789abcdefXYZ={}"']) + signature.slice(at + 1)
    }).filter((changed) => changed.toLowerCase() !== signature.toLowerCase()),
  ]
  for (const malformed of broken)
    expect([malformed, await holds(family, account, text, malformed)]).toEqual([malformed, false])
  for (const address of ['', '0x', 'a', `${addressOf(account)}a`, 'é'.repeat(50)])
    expect(await holds(family, `${chainOf(account)}:${address}` as AccountId, text, signature)).toBe(false)
})
