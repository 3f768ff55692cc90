import { expect, test } from 'vitest'
import { createWalletLoader } from './walletLoader.ts'

test('creates the wallet only once, on first use', async () => {
  const loader = createWalletLoader({} as Parameters<typeof createWalletLoader>[0])
  expect(loader.loaded()).toBeUndefined()
  loader.lock()
  expect(loader.loaded()).toBeUndefined()
  const [wallet, again] = await Promise.all([loader.load(), loader.load()])
  expect(again).toBe(wallet)
  expect(loader.loaded()).toBe(wallet)
})

test('lock() also locks a wallet that is being loaded', async () => {
  const loader = createWalletLoader({} as Parameters<typeof createWalletLoader>[0])
  let locks = 0
  const loading = loader.load().then((wallet) => {
    wallet.lock = () => {
      locks += 1
    }
    return wallet
  })
  loader.lock()
  await loading
  await loader.load()
  loader.lock()
  await loader.load()
  expect(locks).toBe(2)
})
