import type { Adapter, Clock, Connector, Eip1193Provider, Session } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { localChain, type ScriptedWalletOptions, scriptedWallet, testAccounts } from '@latchkey/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test, vi } from 'vitest'
import { evm } from './evmAdapter.ts'
import { eip1193 } from './evmConnector.ts'
import type { EvmSession } from './evmSession.ts'

const [alice, bob] = testAccounts
const home = localChain({ id: 31337, rpcUrl: 'http://127.0.0.1:8545' })
const away = localChain({ id: 777, rpcUrl: 'http://127.0.0.1:8546', name: 'Away' })
const third = localChain({ id: 100, rpcUrl: 'http://127.0.0.1:8547', name: 'Third' })
const never = new AbortController().signal

function fakeClock(): Clock & { pass(ms: number): void } {
  let now = 0
  let tasks: { at: number; task: () => void }[] = []
  return {
    now: () => now,
    after(ms, task) {
      const entry = { at: now + ms, task }
      tasks.push(entry)
      return () => {
        tasks = tasks.filter((item) => item !== entry)
      }
    },
    pass(ms) {
      now += ms
      const due = tasks.filter(({ at }) => at <= now)
      tasks = tasks.filter(({ at }) => at > now)
      for (const { task } of due) task()
    },
  }
}

function connectorsOf(adapter: Adapter<'eip155'>): Connector<'eip155'>[] {
  const found: Connector<'eip155'>[] = []
  adapter.discover((connector) => found.push(connector), never)
  return found
}

function connectorTo(provider: Eip1193Provider, clock: Clock = fakeClock()): Connector<'eip155'> {
  const adapter = evm({ chains: [home, third], wallets: [eip1193({ id: 'test', name: 'Test', provider })], clock })
  return connectorsOf(adapter)[0] as Connector<'eip155'>
}

async function connected(options: ScriptedWalletOptions = {}) {
  const clock = fakeClock()
  const accounts = [alice, bob].map(({ privateKey }) => privateKeyToAccount(privateKey))
  const wallet = scriptedWallet({ accounts, chains: [home], ...options })
  const session = (await connectorTo(wallet.provider, clock).connect({ signal: never })) as EvmSession
  return { ...wallet, session, clock, methods: () => wallet.script.requests.map(({ method }) => method) }
}

/** Returns a provider with fixed responses, for cases that the scripted wallet does not cover. */
function providerWith(answers: Record<string, unknown>): Eip1193Provider {
  return {
    async request({ method }) {
      const answer = answers[method]
      if (answer instanceof Error || (typeof answer === 'object' && answer !== null && 'code' in answer)) throw answer
      return typeof answer === 'function' ? answer() : answer
    },
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('connecting', () => {
  test('requests the accounts, and returns them with checksummed addresses on the wallet’s chain [R3.15]', async () => {
    const { session, methods } = await connected()
    expect(session.accounts).toEqual([`eip155:31337:${alice.address}`, `eip155:31337:${bob.address}`])
    expect(session.chain).toBe('eip155:31337')
    expect(methods()).toEqual(['eth_requestAccounts', 'eth_chainId'])
  })

  test('checksums addresses and removes duplicates', async () => {
    const provider = providerWith({
      eth_requestAccounts: [alice.address.toLowerCase(), alice.address.toUpperCase().replace('0X', '0x')],
      eth_chainId: '0x1',
    })
    const session = await connectorTo(provider).connect({ signal: never })
    expect(session.accounts).toEqual([`eip155:1:${alice.address}`])
  })

  test.each<[unknown, ChainId<'eip155'> | undefined]>([
    ['0x1', 'eip155:1'],
    ['0x01', 'eip155:1'],
    ['0X89', 'eip155:137'],
    ['0x20000000000001', 'eip155:9007199254740993'],
    [10, 'eip155:10'],
    ['10', 'eip155:10'],
    ['0x', undefined],
    ['0x0', undefined],
    ['1e3', undefined],
    [1.5, undefined],
    [null, undefined],
  ])('parses the chain ID %o exactly', async (chainId, chain) => {
    const connecting = connectorTo(
      providerWith({ eth_requestAccounts: [alice.address], eth_chainId: chainId }),
    ).connect({
      signal: never,
    })
    if (chain) expect((await connecting).chain).toBe(chain)
    else await expect(connecting).rejects.toMatchObject({ code: 'wallet/failed' })
  })

  test('does not prompt when silent, and rejects if the page is not authorized', async () => {
    const wallet = scriptedWallet({ chains: [home] })
    await expect(connectorTo(wallet.provider).connect({ silent: true, signal: never })).rejects.toMatchObject({
      code: 'wallet/not-authorized',
    })
    expect(wallet.script.requests.map(({ method }) => method)).toEqual(['eth_accounts'])
  })

  test('uses an earlier permission when silent, and stays on the wallet’s chain', async () => {
    const { provider } = await connected()
    const again = await connectorTo(provider).connect({ silent: true, chain: 'eip155:100', signal: never })
    expect(again.chain).toBe('eip155:31337')
  })

  test('times out after ten seconds when silent, but not while the user is prompted', async () => {
    const clock = fakeClock()
    const wallet = scriptedWallet({ chains: [home] })
    wallet.script.die()
    const silent = connectorTo(wallet.provider, clock).connect({ silent: true, signal: never })
    const prompt = vi.fn()
    connectorTo(wallet.provider, clock).connect({ signal: never }).then(prompt, prompt)
    await vi.waitUntil(() => wallet.script.requests.length === 2)
    clock.pass(10_000)
    await expect(silent).rejects.toMatchObject({ code: 'wallet/unresponsive' })
    clock.pass(3_600_000)
    await settled()
    expect(prompt).not.toHaveBeenCalled()
  })

  test('rejects immediately when aborted, and ignores a late response', async () => {
    const wallet = scriptedWallet({ chains: [home] })
    wallet.script.hold()
    const stop = new AbortController()
    const connecting = connectorTo(wallet.provider).connect({ signal: stop.signal })
    await vi.waitUntil(() => wallet.script.waiting.length === 1)
    stop.abort()
    await expect(connecting).rejects.toMatchObject({ code: 'request/aborted' })
    wallet.script.release()
    await settled()
    expect(wallet.script.requests.map(({ method }) => method)).toEqual(['eth_requestAccounts'])
  })

  test('does not resolve until the provider returns its chain', async () => {
    const done = vi.fn()
    const provider = providerWith({ eth_requestAccounts: [alice.address], eth_chainId: () => new Promise(() => {}) })
    connectorTo(provider).connect({ signal: never }).then(done, done)
    await settled()
    await settled()
    expect(done).not.toHaveBeenCalled()
  })

  const invalidAccounts = { message: 'It returned invalid accounts.' }
  test.each<[string, Record<string, unknown>, string, object]>([
    ['the user declines', { eth_requestAccounts: { code: 4001 } }, 'user/rejected', { request: 'eth_requestAccounts' }],
    ['the wallet is busy', { eth_requestAccounts: { code: -32002 } }, 'wallet/busy', { connectorId: 'test' }],
    ['the wallet returns no accounts', { eth_requestAccounts: [] }, 'wallet/not-authorized', { connectorId: 'test' }],
    ['the wallet returns invalid accounts', { eth_requestAccounts: ['0x12'] }, 'wallet/failed', invalidAccounts],
    ['the response is not a list', { eth_requestAccounts: 'yes' }, 'wallet/failed', invalidAccounts],
    [
      'the wallet throws an unknown error',
      { eth_requestAccounts: new Error('boom') },
      'wallet/failed',
      { message: 'boom' },
    ],
    [
      'the wallet returns an invalid chain ID',
      { eth_requestAccounts: [alice.address], eth_chainId: 'mainnet' },
      'wallet/failed',
      { message: 'It returned an invalid chain ID.' },
    ],
    [
      'the wallet does not support eth_chainId',
      { eth_requestAccounts: [alice.address], eth_chainId: { code: 4200 } },
      'wallet/unsupported',
      { method: 'eth_chainId' },
    ],
  ])('rejects with the reason if %s', async (_, answers, code, details) => {
    await expect(connectorTo(providerWith(answers)).connect({ signal: never })).rejects.toMatchObject({ code, details })
  })

  test('rejects with wallet/failed if the provider throws on property access', async () => {
    const thrower = new Proxy({} as Eip1193Provider, {
      get() {
        throw new Error('do not touch')
      },
    })
    const connector = connectorTo((() => thrower) as unknown as Eip1193Provider)
    await expect(connector.connect({ signal: never })).rejects.toMatchObject({ code: 'wallet/failed' })
  })

  test('applies events that are emitted while connecting, and ignores malformed chains', async () => {
    let moved: ((chain: string) => void) | undefined
    const provider: Eip1193Provider = {
      async request({ method }) {
        if (method === 'eth_requestAccounts') return [alice.address]
        moved?.('0x64')
        moved?.('mainnet')
        return '0x1'
      },
      on(event, listener) {
        if (event === 'chainChanged') moved = listener as (chain: string) => void
      },
    }
    const session = await connectorTo(provider).connect({ signal: never })
    moved?.('mainnet')
    expect(session.chain).toBe('eip155:100')
  })

  test('switches to the requested chain only if the wallet is on a different chain', async () => {
    const wallet = scriptedWallet({ chains: [home, third] })
    const connector = connectorTo(wallet.provider)
    expect((await connector.connect({ chain: 'eip155:31337', signal: never })).chain).toBe('eip155:31337')
    expect(wallet.script.requests.map(({ method }) => method)).not.toContain('wallet_switchEthereumChain')
    expect((await connector.connect({ chain: 'eip155:100', signal: never })).chain).toBe('eip155:100')
  })

  test('accepts a requested chain that is not configured if the wallet is already on it', async () => {
    const provider = providerWith({ eth_requestAccounts: [alice.address], eth_chainId: '0x309' })
    const session = await connectorTo(provider).connect({ chain: 'eip155:777', signal: never })
    expect(session.chain).toBe('eip155:777')
  })

  test('rejects if the requested chain is not configured or the user declines the switch', async () => {
    const wallet = scriptedWallet({ chains: [home, third] })
    const connector = connectorTo(wallet.provider)
    await expect(connector.connect({ chain: 'eip155:5', signal: never })).rejects.toMatchObject({
      code: 'network/not-found',
      details: { chain: 'eip155:5' },
    })
    wallet.script.decline('wallet_switchEthereumChain')
    await expect(connector.connect({ chain: 'eip155:100', signal: never })).rejects.toMatchObject({
      code: 'user/rejected',
    })
  })
})

describe('a misbehaving wallet', () => {
  /** Returns a provider with fixed responses, and a function that emits its events. */
  function speaking(answers: Record<string, unknown>) {
    const listeners = new Map<string, (value: never) => void>()
    const provider: Eip1193Provider = {
      ...providerWith(answers),
      on: (event, listener) => listeners.set(event, listener),
      removeListener: (event) => listeners.delete(event),
    }
    return { provider, emit: (event: string, value: unknown) => listeners.get(event)?.(value as never), listeners }
  }

  test('does not connect if the wallet removes the accounts while its chain is being read', async () => {
    const wallet = speaking({
      eth_requestAccounts: [alice.address],
      eth_chainId: () => {
        wallet.emit('accountsChanged', [])
        return '0x7a69'
      },
    })
    await expect(connectorTo(wallet.provider).connect({ signal: never })).rejects.toMatchObject({
      code: 'wallet/not-authorized',
    })
    expect(wallet.listeners.size).toBe(0)
  })

  test('reads an account list only once, because it can change on each access', async () => {
    let reads = 0
    const fickle = new Proxy([alice.address], {
      get: (target, key, self) => {
        if (key === 'length' && ++reads > 1) return 0
        return Reflect.get(target, key, self)
      },
    })
    const wallet = speaking({
      eth_requestAccounts: [bob.address],
      eth_chainId: () => {
        wallet.emit('accountsChanged', fickle)
        return '0x7a69'
      },
    })
    const outcome = await connectorTo(wallet.provider)
      .connect({ signal: never })
      .then(
        ({ accounts }) => accounts.length,
        (error: unknown) => error,
      )
    if (typeof outcome === 'number') expect(outcome).toBeGreaterThan(0)
    else expect(outcome).toMatchObject({ code: 'wallet/not-authorized' })
  })

  test('rejects if the session ends while switching to the requested chain', async () => {
    let chain = '0x1'
    const wallet = speaking({
      eth_requestAccounts: [alice.address],
      eth_chainId: () => chain,
      wallet_switchEthereumChain: () => {
        chain = '0x64'
        wallet.emit('accountsChanged', [])
        return null
      },
    })
    await expect(connectorTo(wallet.provider).connect({ chain: 'eip155:100', signal: never })).rejects.toMatchObject({
      code: 'wallet/not-authorized',
    })
  })

  test('notifies a disconnect listener that is added after the session has ended', async () => {
    const wallet = speaking({ eth_requestAccounts: [alice.address], eth_chainId: '0x7a69' })
    const session = await connectorTo(wallet.provider).connect({ signal: never })
    wallet.emit('accountsChanged', [])
    let ended = 0
    session.on('disconnect', () => ended++)
    await settled()
    expect(ended).toBe(1)
  })

  test('sends only one request for many disconnect events', async () => {
    let requests = 0
    const wallet = speaking({
      eth_requestAccounts: [alice.address],
      eth_chainId: '0x7a69',
      eth_accounts: () => {
        requests++
        return [alice.address]
      },
    })
    await connectorTo(wallet.provider).connect({ signal: never })
    for (let at = 0; at < 1000; at++) wallet.emit('disconnect', { code: 1013 })
    await settled()
    expect(requests).toBe(1)
  })
})

describe('unsolicited changes in the wallet', () => {
  test('applies account and chain changes', async () => {
    const { session, script } = await connected({ chains: [home, third] })
    const seen: unknown[] = []
    session.on('accounts', (value) => seen.push(value))
    session.on('chain', (value) => seen.push(value))
    script.setAccounts([1, 0])
    script.setChain(100)
    expect(seen).toEqual([[`eip155:31337:${bob.address}`, `eip155:31337:${alice.address}`], 'eip155:100'])
    expect(session.accounts[0]).toBe(`eip155:100:${bob.address}`)
  })

  test('reports a chain that is not configured', async () => {
    const { session, script } = await connected({ chains: [home, away] })
    script.setChain(away)
    expect(session.chain).toBe(`eip155:${away.id}`)
  })

  test('ends the session once the wallet has no accounts left, and ignores later events', async () => {
    const { session, script, provider } = await connected()
    const ends = vi.fn()
    const accounts = vi.fn()
    session.on('disconnect', ends)
    session.on('accounts', accounts)
    script.forget()
    await provider.request({ method: 'eth_requestAccounts' })
    script.setAccounts([1])
    expect(ends).toHaveBeenCalledTimes(1)
    expect(accounts).not.toHaveBeenCalled()
    await expect(
      session.can.signMessage?.({ account: session.accounts[0], message: new Uint8Array() }),
    ).rejects.toMatchObject({
      code: 'wallet/not-authorized',
    })
  })

  test.each<[string, unknown, 'end' | 'silent' | 'nothing']>([
    ['is ignored if the wallet still returns accounts', [alice.address], 'nothing'],
    ['ends the session if the wallet returns no accounts', [], 'end'],
    ['sets the health to silent if the wallet is disconnected', { code: 4900 }, 'silent'],
    ['ends the session if requesting the accounts fails', new Error('call connect() first'), 'end'],
  ])('a disconnect event %s', async (_, accounts, outcome) => {
    let disconnect: ((error: unknown) => void) | undefined
    const provider: Eip1193Provider = {
      ...providerWith({ eth_requestAccounts: [alice.address], eth_accounts: accounts, eth_chainId: '0x1' }),
      on(event, listener) {
        if (event === 'disconnect') disconnect = listener as (error: unknown) => void
      },
    }
    const session = await connectorTo(provider).connect({ signal: never })
    const seen: string[] = []
    session.on('disconnect', () => seen.push('end'))
    session.on('health', (now) => seen.push(now))
    disconnect?.({ code: 1013 })
    await settled()
    expect(seen).toEqual(outcome === 'nothing' ? [] : [outcome])
  })
})

describe('health', () => {
  test('the health is silent after ten seconds without a response, and ok once the wallet responds again', async () => {
    const { session, script, clock } = await connected()
    const health: string[] = []
    session.on('health', (now) => health.push(now))
    script.die()
    const checking = session.ping()
    await settled()
    clock.pass(9_999)
    expect(health).toEqual([])
    clock.pass(1)
    await checking
    expect(health).toEqual(['silent'])
    script.revive()
    await session.ping()
    expect(health).toEqual(['silent', 'ok'])
  })

  test('a late response sets the health back to ok', async () => {
    let answer: ((value: string) => void) | undefined
    let first = true
    const provider = providerWith({
      eth_requestAccounts: [alice.address],
      eth_chainId: () => {
        if (!first) return new Promise<string>((resolve) => (answer = resolve))
        first = false
        return '0x1'
      },
    })
    const clock = fakeClock()
    const session = await connectorTo(provider, clock).connect({ signal: never })
    const health: string[] = []
    session.on('health', (now) => health.push(now))
    const checking = session.ping()
    await settled()
    clock.pass(10_000)
    await checking
    answer?.('0x5')
    await settled()
    expect(health).toEqual(['silent', 'ok'])
    expect(session.chain).toBe('eip155:5')
  })

  test('a 4900 error from any request sets the health to silent', async () => {
    const { session, script } = await connected()
    const health: string[] = []
    session.on('health', (now) => health.push(now))
    const undo = script.on('eth_chainId', () => {
      throw Object.assign(new Error('gone'), { code: 4900 })
    })
    await session.ping()
    undo()
    await session.request({ method: 'eth_chainId' })
    expect(health).toEqual(['silent', 'ok'])
  })

  test('a read that hangs triggers a ping, and the health is silent only if the ping also gets no response', async () => {
    const { session, script, clock } = await connected()
    const health: string[] = []
    session.on('health', (now) => health.push(now))
    script.on('eth_getLogs', () => new Promise(() => {}))
    void session.provider.request({ method: 'eth_getLogs' })
    await settled()
    clock.pass(10_000)
    await session.ping()
    expect(health).toEqual([])
    script.die()
    void session.provider.request({ method: 'eth_blockNumber' })
    await settled()
    clock.pass(10_000)
    await settled()
    clock.pass(10_000)
    await settled()
    expect(health).toEqual(['silent'])
  })

  test('a pending prompt does not affect the health', async () => {
    const { session, script, clock } = await connected()
    const health = vi.fn()
    session.on('health', health)
    script.hold()
    const signing = session.can.signMessage?.({ account: session.accounts[0], message: new Uint8Array([1]) })
    await vi.waitUntil(() => script.waiting.length === 1)
    clock.pass(600_000)
    script.release()
    await signing
    expect(health).not.toHaveBeenCalled()
  })
})

describe('switching', () => {
  const switchTo = (session: Session<'eip155'>, chain: typeof home) =>
    session.can.switchChain?.({ ...chain, chainNamespace: 'eip155', caipNetworkId: `eip155:${chain.id}` })

  test('switches to a chain that the wallet supports [R1.13]', async () => {
    const { session, methods } = await connected({ chains: [home, third] })
    await switchTo(session, third)
    expect(session.chain).toBe('eip155:100')
    expect(methods()).not.toContain('wallet_addEthereumChain')
  })

  test('adds a chain that is missing from the wallet, with the host’s own RPC URLs [R8.7] [R1.13]', async () => {
    const { session, script } = await connected()
    await switchTo(session, third)
    expect(session.chain).toBe('eip155:100')
    const addition = script.requests.find(({ method }) => method === 'wallet_addEthereumChain')
    expect(addition?.params).toEqual([
      expect.objectContaining({ chainId: '0x64', chainName: 'Third', rpcUrls: ['http://127.0.0.1:8547'] }),
    ])
    expect(JSON.stringify(addition?.params)).not.toContain('projectId')
  })

  test.each<[string, unknown]>([
    ['4902', { code: 4902 }],
    ['4902 inside -32603', { code: -32603, data: { originalError: { code: 4902 } } }],
    ['5000', { code: 5000 }],
    ['32603', { code: 32603 }],
    ['-32603', { code: -32603, message: 'Internal JSON-RPC error.' }],
  ])('adds the chain on error %s', async (_, thrown) => {
    const { session, script, methods } = await connected()
    let times = 0
    script.on('wallet_switchEthereumChain', (_call, next) => {
      if (times++ === 0) throw thrown
      return next()
    })
    await switchTo(session, third)
    expect(methods()).toContain('wallet_addEthereumChain')
    expect(session.chain).toBe('eip155:100')
  })

  test('requests another switch if the wallet adds the chain without switching to it', async () => {
    const { session, script, methods } = await connected({ chains: [home, third] })
    let known = false
    script.on('wallet_switchEthereumChain', (_call, next) => {
      if (known) return next()
      throw Object.assign(new Error('unknown'), { code: 4902 })
    })
    script.on('wallet_addEthereumChain', () => {
      known = true
      return null
    })
    await switchTo(session, third)
    expect(methods().filter((method) => method === 'wallet_switchEthereumChain')).toHaveLength(2)
    expect(session.chain).toBe('eip155:100')
  })

  test.each<[string, unknown, string]>([
    ['the user declines', { code: 4001 }, 'user/rejected'],
    ['the wallet does not support switching', { code: 4200 }, 'network/unsupported'],
    ['the wallet is busy', { code: -32002 }, 'wallet/busy'],
  ])('rejects if %s', async (_, thrown, code) => {
    const { session, script, methods } = await connected({ chains: [home, third] })
    script.on('wallet_switchEthereumChain', () => {
      throw thrown
    })
    await expect(switchTo(session, third)).rejects.toMatchObject({ code })
    expect(methods()).not.toContain('wallet_addEthereumChain')
    expect(session.chain).toBe('eip155:31337')
  })

  test('rejects if the wallet approves the switch but stays on its current chain [R1.13]', async () => {
    const { session, script, clock } = await connected({ chains: [home, third] })
    script.on('wallet_switchEthereumChain', () => null)
    const switching = switchTo(session, third)
    const outcome = expect(switching).rejects.toMatchObject({ code: 'network/unsupported' })
    await vi.waitFor(() => {
      clock.pass(2_000)
      expect(script.requests.filter(({ method }) => method === 'eth_chainId').length).toBeGreaterThan(2)
    })
    await outcome
    expect(session.chain).toBe('eip155:31337')
  })

  test('waits for the chain event if the wallet still returns the old chain ID', async () => {
    const { session, script } = await connected({ chains: [home, third] })
    script.on('wallet_switchEthereumChain', () => {
      queueMicrotask(() => setImmediate(() => script.setChain(100)))
      return null
    })
    await switchTo(session, third)
    expect(session.chain).toBe('eip155:100')
  })
})

describe('disconnecting', () => {
  test('revokes an existing permission without emitting a disconnect event', async () => {
    const { session, methods } = await connected()
    const ends = vi.fn()
    session.on('disconnect', ends)
    await Promise.all([session.disconnect(), session.disconnect()])
    expect(methods().slice(-2)).toEqual(['wallet_getPermissions', 'wallet_revokePermissions'])
    expect(ends).not.toHaveBeenCalled()
    await session.disconnect()
  })

  test.each(['wallet_getPermissions', 'wallet_revokePermissions'])('ignores an error from %s', async (method) => {
    const { session, script } = await connected()
    script.on(method, () => {
      throw Object.assign(new Error('no'), { code: 4200 })
    })
    await session.disconnect()
  })

  test('does not revoke permissions if they do not include eth_accounts', async () => {
    const { session, script, methods } = await connected()
    script.on('wallet_getPermissions', () => [{ parentCapability: 'wallet_snap' }])
    await session.disconnect()
    expect(methods()).not.toContain('wallet_revokePermissions')
  })

  test('removes all listeners from the provider', async () => {
    const listeners: string[] = []
    const provider: Eip1193Provider = {
      ...providerWith({ eth_requestAccounts: [alice.address], eth_chainId: '0x1', wallet_getPermissions: [] }),
      on: (event) => listeners.push(event),
      removeListener: (event) => listeners.splice(listeners.indexOf(event), 1),
    }
    const session = await connectorTo(provider).connect({ signal: never })
    expect(listeners).toHaveLength(5)
    await session.disconnect()
    expect(listeners).toEqual([])
  })

  test('completes even if the wallet does not respond', async () => {
    const { session, script, clock } = await connected()
    script.die()
    const leaving = session.disconnect()
    await settled()
    clock.pass(3_000)
    await leaving
  })
})

describe('a session’s provider', () => {
  test('returns the session’s accounts without a request to the wallet, and forwards other methods [R3.3]', async () => {
    const { session, methods } = await connected()
    const before = methods().length
    expect(await session.provider.request({ method: 'eth_accounts' })).toEqual([alice.address, bob.address])
    expect(await session.provider.request({ method: 'eth_requestAccounts' })).toEqual([alice.address, bob.address])
    expect(methods()).toHaveLength(before)
    expect(await session.provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
  })

  test('emits account changes, chain changes and the end of the session', async () => {
    const { session, script } = await connected({ chains: [home, third] })
    const seen: unknown[] = []
    session.provider.on('accountsChanged', (accounts) => seen.push(accounts))
    session.provider.once('chainChanged', (chain) => seen.push(chain))
    session.provider.on('disconnect', (error: { code: number }) => seen.push(error.code))
    script.setAccounts([1])
    script.setChain(100)
    script.setChain(31337)
    await session.disconnect()
    expect(seen).toEqual([[bob.address], '0x64', [], 4900])
    expect(await session.provider.request({ method: 'eth_accounts' })).toEqual([])
    await expect(session.provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 })
  })

  test('stays the same after reconnecting', async () => {
    const wallet = scriptedWallet({ chains: [home] })
    const connector = connectorTo(wallet.provider)
    const first = await connector.connect({ signal: never })
    await first.disconnect()
    const second = await connector.connect({ signal: never })
    expect(second.provider).toBe(first.provider)
    expect(await (second as EvmSession).provider.request({ method: 'eth_accounts' })).toEqual([alice.address])
  })

  test('rejects with the wallet’s own errors', async () => {
    const { session, script } = await connected()
    script.decline()
    const signing = session.provider.request({ method: 'personal_sign', params: ['0x01', alice.address] })
    await expect(signing).rejects.toMatchObject({ code: 4001 })
  })
})

describe('capabilities', () => {
  test('signs messages [R3.15] [R1.5]', async () => {
    const { verifyMessage } = await import('viem')
    const { session } = await connected()
    const message = new TextEncoder().encode('Grüß Gott')
    const signature = await session.can.signMessage?.({ account: session.accounts[0], message })
    const hex = `0x${Buffer.from(signature ?? []).toString('hex')}` as const
    expect(await verifyMessage({ address: alice.address, message: 'Grüß Gott', signature: hex })).toBe(true)
  })

  test('does not sign for an account that does not belong to the session [R1.5]', async () => {
    const { session, methods } = await connected()
    const account = `eip155:31337:${testAccounts[2].address}` as const
    await expect(session.can.signMessage?.({ account, message: new Uint8Array() })).rejects.toMatchObject({
      code: 'wallet/not-authorized',
    })
    expect(methods()).not.toContain('personal_sign')
  })

  test('emits an event when a transaction is sent, but not when it is declined', async () => {
    const { session, script } = await connected()
    let sent = 0
    session.on('sent', () => {
      sent += 1
    })
    const provider = session.provider as Eip1193Provider
    script.on('eth_sendTransaction', () => `0x${'ab'.repeat(32)}`)
    await provider.request({ method: 'eth_sendTransaction', params: [{ from: alice.address, to: bob.address }] })
    await provider.request({ method: 'eth_chainId' })
    expect(sent).toBe(1)
    script.on('eth_sendTransaction', () => {
      throw Object.assign(new Error('no'), { code: 4001 })
    })
    await provider.request({ method: 'eth_sendTransaction', params: [{}] }).catch(() => undefined)
    await provider.request({ method: 'personal_sign', params: ['0x00', alice.address] }).catch(() => undefined)
    expect(sent).toBe(1)
  })

  test.each([undefined, null, '0x', 'ok', `0x${'ab'.repeat(31)}`, { hash: `0x${'ab'.repeat(32)}` }])(
    'if the wallet returns %j, the transaction is reported as possibly sent',
    async (hash) => {
      const { session, script } = await connected()
      script.on('eth_sendTransaction', () => hash)
      const unconfirmed = { code: 'send/unconfirmed' }
      await expect(session.can.send?.({ to: bob.address, amount: 1n })).rejects.toMatchObject(unconfirmed)
      const [account] = session.accounts
      await expect(session.can.sendTransaction?.({ account, to: bob.address })).rejects.toMatchObject(unconfirmed)
    },
  )

  test('sends native currency [R1.5]', async () => {
    const { session, script } = await connected()
    script.on('eth_sendTransaction', () => `0x${'ab'.repeat(32)}`)
    expect(await session.can.send?.({ to: bob.address, amount: 10n ** 18n })).toEqual({ hash: `0x${'ab'.repeat(32)}` })
    expect(script.requests.at(-1)?.params).toEqual([
      { from: alice.address, chainId: '0x7a69', to: bob.address, data: '0x', value: '0xde0b6b3a7640000' },
    ])
  })

  test('sends on the current network after the wallet or the host switches networks [R1.5]', async () => {
    const { session, script } = await connected({ chains: [home, third] })
    script.on('eth_sendTransaction', () => `0x${'ab'.repeat(32)}`)
    const token = testAccounts[4].address
    const sentOn = async () => {
      const chains: unknown[] = []
      for (const more of [{}, { token }]) {
        await session.can.send?.({ to: bob.address, amount: 1n, ...more })
        const params = script.requests.at(-1)?.params as readonly { readonly chainId: string }[] | undefined
        chains.push(params?.[0]?.chainId)
      }
      return chains
    }
    expect(await sentOn()).toEqual(['0x7a69', '0x7a69'])
    script.setChain(100)
    expect(await sentOn()).toEqual(['0x64', '0x64'])
    await session.can.switchChain?.({ ...home, chainNamespace: 'eip155', caipNetworkId: 'eip155:31337' })
    expect(await sentOn()).toEqual(['0x7a69', '0x7a69'])
  })

  test('sends from the current account after the wallet switches accounts [R1.5]', async () => {
    const { session, script } = await connected()
    script.on('eth_sendTransaction', () => `0x${'ab'.repeat(32)}`)
    script.setAccounts([1])
    for (const more of [{}, { token: testAccounts[4].address }]) {
      await session.can.send?.({ to: alice.address, amount: 1n, ...more })
      expect(script.requests.at(-1)?.params).toMatchObject([{ from: bob.address }])
    }
  })

  test.each(['', 'eip155:31337:'])('sends a token whose address has the prefix %o [R1.5] [R5.7]', async (prefix) => {
    const { session, script } = await connected()
    script.on('eth_sendTransaction', () => `0x${'ab'.repeat(32)}`)
    const token = testAccounts[4].address
    await session.can.send?.({ to: bob.address, amount: 255n, token: `${prefix}${token}` })
    expect(script.requests.at(-1)?.params).toEqual([
      {
        from: alice.address,
        chainId: '0x7a69',
        to: token,
        data: `0xa9059cbb${bob.address.slice(2).toLowerCase().padStart(64, '0')}${'ff'.padStart(64, '0')}`,
      },
    ])
  })

  test.each([
    ['without 0x', (address: string) => address.slice(2)],
    ['with 0X', (address: string) => address.replace('0x', '0X')],
    ['in uppercase', (address: string) => `0x${address.slice(2).toUpperCase()}`],
  ])('accepts recipient and token addresses %s, and sends them with 0x [R5.5]', async (_, written) => {
    const { session, script } = await connected()
    script.on('eth_sendTransaction', () => `0x${'ab'.repeat(32)}`)
    const sentTo = () => (script.requests.at(-1)?.params as readonly { readonly to: string }[] | undefined)?.[0]?.to
    const withPrefix = (address: string) => `0x${written(address).slice(-40)}`
    await session.can.send?.({ to: written(bob.address), amount: 1n })
    expect(sentTo()).toBe(withPrefix(bob.address))
    const token = testAccounts[4].address
    await session.can.send?.({ to: written(bob.address), amount: 1n, token: written(token) })
    expect(sentTo()).toBe(withPrefix(token))
  })

  test.each([
    ['39 characters', bob.address.slice(0, -1)],
    ['41 characters', `${bob.address}0`],
    ['a character that is not hex', `${bob.address.slice(0, -1)}g`],
    ['a different prefix', `1x${bob.address.slice(2)}`],
    ['two prefixes', `0x${bob.address}`],
    ['a space', ` ${bob.address}`],
  ])('rejects a recipient or token address with %s [R5.5]', async (_, address) => {
    const { session, methods } = await connected()
    for (const params of [{ to: address }, { to: bob.address, token: address }])
      await expect(session.can.send?.({ ...params, amount: 1n })).rejects.toMatchObject({ code: 'wallet/failed' })
    expect(methods()).not.toContain('eth_sendTransaction')
  })

  test.each([
    ['four parts', (token: string) => `eip155:31337:${token}:x`],
    ['two parts', (token: string) => `eip155:${token}`],
    ['an unknown namespace', (token: string) => `foo:31337:${token}`],
    ['an empty part', (token: string) => `eip155::${token}`],
  ])('does not send a token whose cross-chain address has %s [R5.7]', async (_, written) => {
    const { session, methods } = await connected()
    const token = written(testAccounts[4].address)
    await expect(session.can.send?.({ to: bob.address, amount: 1n, token })).rejects.toMatchObject({
      code: 'wallet/failed',
    })
    expect(methods()).not.toContain('eth_sendTransaction')
  })

  test.each<[string, { to: string; amount: bigint; token?: string }, string]>([
    [
      'the token is on a different chain',
      { to: bob.address, amount: 1n, token: `eip155:1:${alice.address}` },
      'network/unsupported',
    ],
    ['the address is invalid', { to: 'bob', amount: 1n }, 'wallet/failed'],
    ['the amount is negative', { to: bob.address, amount: -1n }, 'wallet/failed'],
  ])('sends nothing if %s', async (_, params, code) => {
    const { session, methods } = await connected()
    await expect(session.can.send?.(params)).rejects.toMatchObject({ code })
    expect(methods()).not.toContain('eth_sendTransaction')
  })

  test('returns EIP-5792 capabilities if the wallet supports them', async () => {
    const capabilities = { '0x7a69': { atomic: { status: 'supported' } } } as const
    const { session } = await connected({ capabilities })
    expect(await session.can.capabilities?.()).toEqual(capabilities)
  })

  test.each<[string, unknown]>([
    ['an error', { code: -32601 }],
    ['a string', 'yes'],
    ['null', null],
  ])('returns no capabilities if the wallet responds with %s', async (_, answer) => {
    const { session, script } = await connected()
    script.on('wallet_getCapabilities', () => {
      if (typeof answer === 'object' && answer !== null) throw answer
      return answer
    })
    expect(await session.can.capabilities?.()).toEqual({})
  })
})
