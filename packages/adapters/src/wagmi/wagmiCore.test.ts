import { createLatchkey, type Latchkey } from '@latchkey/core'
import { localChain, scriptedWallet, testAccounts } from '@latchkey/testing'
import {
  type Config,
  type Connector,
  connect,
  createConfig,
  disconnect,
  getAccount,
  reconnect,
  switchChain,
} from '@wagmi/core'
import { custom } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { eip1193, evm } from '../evm/index.ts'
import { latchkeyConnector } from './latchkeyConnector.ts'
import type { LatchkeyForWagmi } from './wagmiTypes.ts'

const home = localChain({ id: 31337, rpcUrl: 'http://127.0.0.1:8545' })
const third = localChain({ id: 100, rpcUrl: 'http://127.0.0.1:8547', name: 'Third' })
const chains = [home, third] as const
const none = custom({ request: async () => '0x0' })
const transports = { [home.id]: none, [third.id]: none }
const [alice] = testAccounts

function memory() {
  const stored = new Map<string, string>()
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
}

function page({ storage = memory(), wallet = scriptedWallet({ chains }) } = {}) {
  const own = eip1193({ id: 'own', name: 'Own', provider: wallet.provider })
  const latchkey: Latchkey = createLatchkey({ adapters: [evm({ chains, transports, wallets: [own] })], storage })
  const config: Config = createConfig({ chains, transports, connectors: [latchkeyConnector(latchkey)], storage: null })
  return { latchkey, config, wallet, storage, choose: () => latchkey.connect({ connectorId: 'own' }) }
}

describe('wagmi with a complete Latchkey instance', () => {
  test('the connector accepts the result of createLatchkey', () => {
    const { latchkey } = page()
    const structural: LatchkeyForWagmi = latchkey
    expect(structural).toBe(latchkey)
  })

  test('connecting, switching and disconnecting work from wagmi and from Latchkey', async () => {
    const { latchkey, config, wallet, choose } = page()
    const stop = latchkey.start()
    const connecting = connect(config, { connector: config.connectors[0] as Connector })
    await vi.waitUntil(() => latchkey.state.get().modal.open)
    await choose()
    expect((await connecting).accounts).toEqual([alice.address])
    await switchChain(config, { chainId: 100 })
    expect(latchkey.account('eip155').chain).toBe('eip155:100')
    wallet.script.setChain(31337)
    expect(getAccount(config).chainId).toBe(31337)
    await disconnect(config)
    expect(latchkey.account('eip155').status).toBe('disconnected')

    await choose()
    expect(getAccount(config)).toMatchObject({ status: 'connected', address: alice.address })
    await latchkey.disconnect()
    expect(getAccount(config).status).toBe('disconnected')
    stop()
  })

  test('wagmi’s connect() rejects if the modal is closed', async () => {
    const { latchkey, config } = page()
    const stop = latchkey.start()
    const connecting = connect(config, { connector: config.connectors[0] as Connector })
    await vi.waitUntil(() => latchkey.state.get().modal.open)
    latchkey.modal.close()
    await expect(connecting).rejects.toMatchObject({ name: 'UserRejectedRequestError' })
    stop()
  })

  test('wagmi and Latchkey both reconnect after a reload, regardless of which one starts first', async () => {
    const before = page()
    const stop = before.latchkey.start()
    await before.choose()
    stop()
    const { storage, wallet } = before

    const after = page({ storage, wallet })
    const stopAfter = after.latchkey.start()
    await reconnect(after.config)
    expect(getAccount(after.config)).toMatchObject({ status: 'connected', address: alice.address })
    stopAfter()

    const later = page({ storage, wallet })
    const reconnecting = reconnect(later.config)
    const stopLater = later.latchkey.start()
    await reconnecting
    await vi.waitUntil(() => getAccount(later.config).status === 'connected')
    expect(wallet.script.requests.filter(({ method }) => method === 'eth_requestAccounts')).toHaveLength(1)
    stopLater()
  })
})
