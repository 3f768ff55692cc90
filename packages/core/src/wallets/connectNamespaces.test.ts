import type { Namespace } from '@latchkey/protocol/caip'
import { expect, test } from 'vitest'
import { connectNamespaces } from './connectNamespaces.ts'

async function connected(preferred: readonly (Namespace | undefined)[], failing?: Namespace) {
  const calls: string[] = []
  const warnings: unknown[] = []
  const first = await connectNamespaces({
    namespaces: ['eip155', 'solana', 'bip122'],
    preferred,
    walletName: 'Pocket',
    log: { warn: (text) => warnings.push(text) },
    async connect({ namespace, secondary }) {
      calls.push(`${namespace}${secondary ? ' secondary' : ''}`)
      if (namespace === failing) throw new Error('locked')
      return namespace
    },
  })
  return { first, calls, warnings }
}

test('the first preferred namespace that the wallet supports becomes active, and the other namespaces are connected afterwards', async () => {
  expect(await connected([undefined, 'cosmos', 'solana', 'eip155'])).toEqual({
    first: 'solana',
    calls: ['solana', 'eip155 secondary', 'bip122 secondary'],
    warnings: [],
  })
  expect((await connected([undefined])).first).toBe('eip155')
})

test('rejects on an error in the first namespace, and logs an error in any other namespace', async () => {
  expect((await connected(['eip155'], 'solana')).warnings).toEqual(['Pocket was not connected on solana'])
  await expect(connected(['solana'], 'solana')).rejects.toThrow('locked')
})
