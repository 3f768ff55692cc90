import { type ChainId, type Namespace, namespaces } from '@latchkey/protocol/caip'
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

test.each(namespaces)('%s: a page can verify signatures without Node.js APIs', async (family) => {
  const signer = signWith(family, 1)
  const account = signer.account(chains[family])
  const message = 'shop.example wants you to sign in\nGrüße 🦊'
  const signature = await signer.sign(message)
  const verify = verifiersFor([family])[family]
  expect(await verify?.({ account, message, signature })).toBe(true)
  expect(await verify?.({ account, message: `${message}!`, signature })).toBe(false)
  expect(await verify?.({ account, message, signature: malleatedSignature(family, signature) })).toBe(false)
})
