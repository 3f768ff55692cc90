import type { Connector, Session } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { localChain, scriptedWallet, testAccounts } from '@latchkey/testing'
import * as wagmi3 from '@wagmi/core'
import { custom, verifyMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test, vi } from 'vitest'
import * as wagmi2 from 'wagmi-core-2'
import { eip1193, evm } from '../evm/index.ts'
import { latchkeyConnector } from './latchkeyConnector.ts'
import type { LatchkeyForWagmi } from './wagmiTypes.ts'
import { wagmiWallets } from './wagmiWallets.ts'

const home = localChain({ id: 31337, rpcUrl: 'http://127.0.0.1:8545' })
const third = localChain({ id: 100, rpcUrl: 'http://127.0.0.1:8547', name: 'Third' })
const chains = [home, third] as const
const [alice, bob] = testAccounts
const never = new AbortController().signal
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Creates the part of Latchkey that the wagmi connector uses, with real sessions from a scripted wallet. */
function smallLatchkey() {
  const accounts = [alice, bob].map(({ privateKey }) => privateKeyToAccount(privateKey))
  const wallet = scriptedWallet({ accounts, chains, name: 'Test' })
  const adapter = evm({ chains, wallets: [eip1193({ id: 'test', name: 'Test', provider: wallet.provider })] })
  let connector: Connector<'eip155'> | undefined
  adapter.discover((found) => (connector = found), never)

  const listeners = new Map<string, Set<(value: never) => void>>()
  const watchers = new Set<() => void>()
  let session: Session<'eip155'> | undefined
  let status = 'disconnected'
  let open = false
  const changed = () => {
    for (const watcher of [...watchers]) watcher()
  }
  const emit = (event: string) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener({ namespace: 'eip155' } as never)
  }
  const gone = () => {
    session = undefined
    status = 'disconnected'
    changed()
    emit('disconnect')
  }

  const latchkey: LatchkeyForWagmi = {
    state: {
      get: () => ({ started: true, modal: { open } }),
      subscribe(listener) {
        watchers.add(listener)
        return () => watchers.delete(listener)
      },
    },
    prepare: async () => undefined,
    account: () => ({ status, address: session?.accounts[0].split(':')[2] }),
    session: () => session as unknown as Session,
    async disconnect() {
      await session?.disconnect()
      gone()
    },
    async switchNetwork(chain: ChainId) {
      const network = adapter.networks.find(({ caipNetworkId }) => caipNetworkId === chain)
      if (network) await session?.can.switchChain?.(network)
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return () => listeners.get(event)?.delete(listener)
    },
    modal: {
      open() {
        open = true
        changed()
      },
    },
  }

  return {
    latchkey,
    wallet,
    isOpen: () => open,
    close() {
      open = false
      changed()
    },
    status(next: string) {
      status = next
      changed()
    },
    /** Simulates choosing the wallet in the modal. */
    async choose(silent = false) {
      status = silent ? 'reconnecting' : 'connecting'
      changed()
      try {
        session = await (connector as Connector<'eip155'>).connect({ signal: never, silent })
      } catch (error) {
        status = 'disconnected'
        changed()
        throw error
      }
      session.on('accounts', () => emit('accounts'))
      session.on('chain', () => emit('chain'))
      session.on('disconnect', gone)
      status = 'connected'
      open = false
      changed()
      emit('connect')
    },
  }
}

const transports = {
  [home.id]: custom({ request: async () => '0x' }),
  [third.id]: custom({ request: async () => '0x' }),
}

// wagmi v2 has its own types, but its actions take the same parameters. Both versions must accept the connector without a cast.
const versions = [
  {
    version: '3.6.5',
    wagmi: wagmi3,
    make: (latchkey: LatchkeyForWagmi) =>
      wagmi3.createConfig({ chains, transports, connectors: [latchkeyConnector(latchkey)], storage: null }),
  },
  {
    version: '2.22.1',
    wagmi: wagmi2 as unknown as typeof wagmi3,
    make: (latchkey: LatchkeyForWagmi) =>
      wagmi2.createConfig({
        chains,
        transports,
        connectors: [latchkeyConnector(latchkey)],
        storage: null,
      }) as unknown as wagmi3.Config,
  },
]

describe.each(versions)('the connector in wagmi $version', ({ wagmi, make }) => {
  const ready = async (config: wagmi3.Config) => {
    await Promise.resolve()
    return config.connectors[0] as wagmi3.Connector
  }

  test('connecting in the modal connects wagmi', async () => {
    const { latchkey, choose } = smallLatchkey()
    const config = make(latchkey) as wagmi3.Config
    await ready(config)
    await choose()
    expect(config.state.status).toBe('connected')
    expect(wagmi.getAccount(config)).toMatchObject({
      address: alice.address,
      addresses: [alice.address, bob.address],
      chainId: 31337,
    })
  })

  test('wagmi’s connect() opens the modal and waits for the user', async () => {
    const { latchkey, choose, isOpen } = smallLatchkey()
    const config = make(latchkey) as wagmi3.Config
    const connecting = wagmi.connect(config, { connector: await ready(config) })
    await vi.waitUntil(isOpen)
    await choose()
    expect(await connecting).toEqual({ accounts: [alice.address, bob.address], chainId: 31337 })
    expect(config.state.status).toBe('connected')
  })

  test('connect() rejects with a wagmi rejection error if the modal is closed', async () => {
    const { latchkey, close, isOpen } = smallLatchkey()
    const config = make(latchkey) as wagmi3.Config
    const connecting = wagmi.connect(config, { connector: await ready(config) })
    await vi.waitUntil(isOpen)
    close()
    await expect(connecting).rejects.toMatchObject({ name: 'UserRejectedRequestError', code: 4001 })
    expect(config.state.status).toBe('disconnected')
  })

  test('connecting with a chain ID switches to that chain', async () => {
    const { latchkey, choose } = smallLatchkey()
    const config = make(latchkey) as wagmi3.Config
    const connecting = wagmi.connect(config, { connector: await ready(config), chainId: third.id })
    await choose()
    expect((await connecting).chainId).toBe(100)
    expect(config.state.chainId).toBe(100)
  })

  test('disconnecting in wagmi disconnects Latchkey, and vice versa', async () => {
    const { latchkey, choose } = smallLatchkey()
    const config = make(latchkey) as wagmi3.Config
    await ready(config)
    await choose()
    await wagmi.disconnect(config)
    expect(latchkey.session('eip155')).toBeUndefined()
    expect(config.state.status).toBe('disconnected')

    await choose()
    expect(config.state.status).toBe('connected')
    await latchkey.disconnect({ namespace: 'eip155' })
    expect(config.state.status).toBe('disconnected')
  })

  test('switching in wagmi switches the wallet, and chain and account changes in the wallet are reported to wagmi', async () => {
    const { latchkey, choose, wallet } = smallLatchkey()
    const config = make(latchkey) as wagmi3.Config
    await ready(config)
    await choose()
    await wagmi.switchChain(config, { chainId: 100 })
    expect(latchkey.session('eip155')?.chain).toBe('eip155:100')
    expect(config.state.chainId).toBe(100)
    wallet.script.setChain(31337)
    wallet.script.setAccounts([1])
    expect(wagmi.getAccount(config)).toMatchObject({ address: bob.address, chainId: 31337 })
  })

  test('switchChain() rejects with a wagmi rejection error if the user declines', async () => {
    const { latchkey, choose, wallet } = smallLatchkey()
    const config = make(latchkey) as wagmi3.Config
    await ready(config)
    await choose()
    wallet.script.decline('wallet_switchEthereumChain')
    await expect(wagmi.switchChain(config, { chainId: 100 })).rejects.toMatchObject({
      name: 'UserRejectedRequestError',
    })
  })

  test('wagmi disconnects when the wallet disconnects', async () => {
    const { latchkey, choose, wallet } = smallLatchkey()
    const config = make(latchkey) as wagmi3.Config
    await ready(config)
    await choose()
    wallet.script.forget()
    expect(config.state.status).toBe('disconnected')
  })

  test('wagmi signs with the session’s account', async () => {
    const { latchkey, choose } = smallLatchkey()
    const config = make(latchkey) as wagmi3.Config
    await ready(config)
    await choose()
    const signature = await wagmi.signMessage(config, { message: 'hello' })
    expect(await verifyMessage({ address: alice.address, message: 'hello', signature })).toBe(true)
  })

  test('reconnecting waits for Latchkey to restore its session', async () => {
    const { latchkey, choose, status, isOpen } = smallLatchkey()
    await choose()
    const later = smallLatchkey()
    await later.choose()
    later.status('reconnecting')
    const config = make(latchkey) as wagmi3.Config
    expect(await wagmi.reconnect(config)).toHaveLength(1)
    status('connected')
    expect(config.state.status).toBe('connected')
    expect(isOpen()).toBe(false)
  })

  test('reconnecting waits for a connection that Latchkey is establishing', async () => {
    const { latchkey, choose, status } = smallLatchkey()
    status('connecting')
    const config = make(latchkey) as wagmi3.Config
    const reconnected = wagmi.reconnect(config)
    await settled()
    await choose()
    expect(await reconnected).toHaveLength(1)
  })

  test('a session that is restored while wagmi is reconnecting is announced again afterwards', async () => {
    const { latchkey, choose } = smallLatchkey()
    const config = make(latchkey) as wagmi3.Config
    await ready(config)
    config.setState((state) => ({ ...state, status: 'reconnecting' }))
    await choose()
    expect(config.state.connections.size).toBe(0)
    config.setState((state) => ({ ...state, status: 'disconnected' }))
    await vi.waitUntil(() => config.state.status === 'connected')
  })

  test('a config that is created while a wallet is connected is connected immediately', async () => {
    const { latchkey, choose } = smallLatchkey()
    await choose()
    const config = make(latchkey) as wagmi3.Config
    await ready(config)
    expect(config.state.status).toBe('connected')
  })

  test('accounts include capabilities if wagmi requests them', async () => {
    const { latchkey, choose } = smallLatchkey()
    await choose()
    const connector = await ready(make(latchkey) as wagmi3.Config)
    expect((await connector.connect({ withCapabilities: true })).accounts[0]).toEqual({
      address: alice.address,
      capabilities: {},
    })
  })

  test('the provider object stays the same before, during and after a session', async () => {
    const { latchkey, choose } = smallLatchkey()
    const connector = await ready(make(latchkey) as wagmi3.Config)
    const provider = (await connector.getProvider()) as {
      request(call: { method: string }): Promise<unknown>
      on(event: string, listener: (value: unknown) => void): void
    }
    const seen: unknown[] = []
    provider.on('accountsChanged', (accounts) => seen.push(accounts))
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
    await choose()
    expect(await connector.getProvider()).toBe(provider)
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
    await latchkey.disconnect({ namespace: 'eip155' })
    expect(seen).toEqual([[alice.address, bob.address], []])
    await expect(provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 })
  })

  test('the provider emits the chain in hex when the wallet connects or changes it, but not once the session has ended', async () => {
    const { latchkey, choose, wallet } = smallLatchkey()
    const connector = await ready(make(latchkey) as wagmi3.Config)
    const provider = (await connector.getProvider()) as {
      on(event: string, listener: (value: readonly string[]) => void): void
    }
    const seen: unknown[] = []
    provider.on('chainChanged', (chain) => seen.push(chain))
    await choose()
    wallet.script.setChain(100)
    expect(seen.splice(0)).toEqual(['0x7a69', '0x64'])
    await latchkey.disconnect({ namespace: 'eip155' })
    provider.on('accountsChanged', ({ length }) => {
      seen.push(length)
      if (length > 0) wallet.script.forget()
    })
    await choose()
    expect(seen).toEqual([2, 0])
  })
})

describe('the host’s own wagmi connectors', () => {
  const mock = wagmi3.mock({ accounts: [alice.address], features: { reconnect: true } })
  const config = () => wagmi3.createConfig({ chains, transports, connectors: [mock], storage: null })

  test('are listed as EXTERNAL and connect through wagmi [R3.14]', async () => {
    const wagmi = config()
    const found: Connector<'eip155'>[] = []
    evm({ chains, wallets: [wagmiWallets(wagmi)], clock: { now: () => 0, after: () => () => {} } }).discover(
      (connector) => found.push(connector),
      never,
    )
    // Without a `window` object, only configured wallets are found.
    expect(found.map(({ id, name, type }) => ({ id, name, type }))).toEqual([
      { id: 'mock', name: 'Mock Connector', type: 'EXTERNAL' },
    ])
    const session = await (found[0] as Connector<'eip155'>).connect({ signal: never })
    expect(session.accounts).toEqual([`eip155:31337:${alice.address}`])
    expect(wagmi.state.status).toBe('connected')
    await session.disconnect()
    expect(wagmi.state.status).toBe('disconnected')
    await expect((found[0] as Connector<'eip155'>).connect({ silent: true, signal: never })).rejects.toMatchObject({
      code: 'wallet/not-authorized',
    })
  })

  test.each([
    ['walletConnect', []],
    ['safe', []],
    ['injected', []],
    ['ID_AUTH', []],
    ['latchkey', []],
    ['coinbaseWallet', ['coinbaseWallet']],
    ['coinbaseWalletSDK', ['coinbaseWallet']],
    ['ledger', ['ledger']],
    ['okx', ['okx']],
  ] as const)('a connector with the ID or type %s is listed as %o [R3.13]', (name, listed) => {
    const connector = (id: string, type: string) =>
      ({
        ...wagmi3.createConfig({ chains, transports, connectors: [mock], storage: null }).connectors[0],
        id,
        type,
      }) as never
    const listedBy = (id: string, type: string) => {
      const found: string[] = []
      const wallets = [wagmiWallets({ chains, connectors: [connector(id, type)] } as never)]
      evm({ chains, wallets }).discover(({ id: as }) => found.push(as), never)
      return found
    }
    expect(listedBy(name, 'own')).toEqual(listed)
    if (listed.length === 0) expect(listedBy('own', name)).toEqual([])
  })

  test('are read from a config that is created later, and exclude wallets that Latchkey lists itself', () => {
    const { latchkey } = smallLatchkey()
    const found: string[] = []
    const wagmi = wagmi2.createConfig({
      chains,
      transports,
      connectors: [latchkeyConnector(latchkey), wagmi2.injected(), wagmi2.mock({ accounts: [alice.address] })],
      storage: null,
    })
    wagmiWallets(() => wagmi).discover(({ id }) => found.push(id), never)
    expect(found).toEqual(['mock'])
  })
})
