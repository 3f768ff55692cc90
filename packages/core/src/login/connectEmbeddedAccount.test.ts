import type { Namespace } from '@latchkey/protocol/caip'
import { expect, test } from 'vitest'
import { fakeLatchkey } from '../testing/index.ts'
import { connectEmbeddedAccount } from './connectEmbeddedAccount.ts'
import type { LoginDependencies } from './loginContext.ts'

async function connect(namespaces: readonly Namespace[]) {
  const { state } = fakeLatchkey({
    state: (initial) => ({
      ...initial,
      networks: { ...initial.networks, namespace: 'solana', active: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
    }),
  })
  const calls: string[] = []
  await connectEmbeddedAccount(
    {
      state,
      log: { warn() {} } as unknown as LoginDependencies['log'],
      wallet: async () => ({ notify: (name: string) => calls.push(name) }) as never,
      namespaces: () => namespaces,
      async connect({ namespace, secondary }) {
        calls.push(`${namespace}${secondary ? ' secondary' : ''}`)
      },
    },
    () => calls.push('connected'),
  )
  return calls
}

test('the active namespace is connected first, and the frame is switched back to that namespace’s chain at the end', async () => {
  expect(await connect(['eip155', 'solana'])).toEqual(['solana', 'connected', 'eip155 secondary', 'SWITCH_NETWORK'])
  expect(await connect(['eip155'])).toEqual(['eip155', 'connected'])
})

test('rejects with wallet/not-found if the wallet supports none of the namespaces', async () => {
  await expect(connect([])).rejects.toMatchObject({ code: 'wallet/not-found' })
})
