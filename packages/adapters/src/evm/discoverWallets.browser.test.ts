import type { Connector } from '@latchkey/core/adapter'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { evm } from './evmAdapter.ts'
import { eip1193 } from './evmConnector.ts'

const icon = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E'
const provider = () => ({ request: async (): Promise<unknown> => [] })
type Info = { uuid?: unknown; name?: unknown; icon?: unknown; rdns?: unknown }

let stop = new AbortController()
let announcers: (() => void)[] = []

beforeEach(() => {
  stop = new AbortController()
  announcers = []
})
afterEach(() => {
  stop.abort()
  for (const announcer of announcers) window.removeEventListener('eip6963:requestProvider', announcer)
  Reflect.deleteProperty(window, 'ethereum')
  Reflect.deleteProperty(window, 'coinbaseWalletExtension')
})

function announce(detail: unknown): void {
  const dispatch = () => void window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  announcers.push(dispatch)
  window.addEventListener('eip6963:requestProvider', dispatch)
  dispatch()
}

const wallet = (info: Info) => ({ info: { uuid: crypto.randomUUID(), icon, ...info }, provider: provider() })

/** Discovers wallets, and returns the latest report for each wallet ID. */
function discovering(options: Parameters<typeof evm>[0] = {}) {
  const found = new Map<string, Connector<'eip155'>>()
  evm(options).discover((connector) => found.set(connector.id, connector), stop.signal)
  return {
    found,
    all: () => [...found.values()].map(({ id, name, type }) => `${type} ${id} "${name}"`),
  }
}

describe('announced wallets', () => {
  test('are identified by rdns, whether announced before or after discovery starts [R3.12] [R3.13] [R3.14]', () => {
    announce(wallet({ name: 'Early', rdns: 'io.early' }))
    const { all, found } = discovering()
    announce(wallet({ name: 'Late', rdns: 'io.late' }))
    expect(all()).toEqual(['ANNOUNCED io.early "Early"', 'ANNOUNCED io.late "Late"'])
    expect(found.get('io.early')).toMatchObject({ namespace: 'eip155', rdns: 'io.early', icon })
  })

  test('are identified by name if they have no rdns, and by uuid if they also have no name', () => {
    const { all } = discovering()
    announce(wallet({ name: 'Nameful' }))
    announce(wallet({ uuid: 'aaaa-1' }))
    expect(all()).toEqual(['ANNOUNCED Nameful "Nameful"', 'ANNOUNCED aaaa-1 "Wallet"'])
  })

  test('are ignored once discovery is stopped', () => {
    const { all } = discovering()
    stop.abort()
    announce(wallet({ name: 'Late', rdns: 'io.late' }))
    expect(all()).toEqual([])
  })

  test('are not listed if the announced option is false', () => {
    announce(wallet({ name: 'Early', rdns: 'io.early' }))
    expect(discovering({ announced: false }).all()).toEqual([])
  })
})

describe('hostile announcements', () => {
  test('the first wallet to claim an rdns or a uuid keeps it', () => {
    const { all } = discovering()
    announce(wallet({ uuid: 'u-1', name: 'First', rdns: 'io.wallet' }))
    announce(wallet({ uuid: 'u-2', name: 'Second', rdns: 'IO.Wallet' }))
    announce(wallet({ uuid: 'u-1', name: 'Third', rdns: 'io.other' }))
    expect(all()).toEqual(['ANNOUNCED io.wallet "First"'])
  })

  test('two wallets with similar names are both shown with their rdns', () => {
    const { all } = discovering()
    announce(wallet({ name: 'MetаMask\u200b', rdns: 'com.evil' }))
    announce(wallet({ name: 'MetaMask', rdns: 'io.metamask' }))
    expect(all()).toEqual([
      'ANNOUNCED com.evil "MetаMask (com.evil)"',
      'ANNOUNCED io.metamask "MetaMask (io.metamask)"',
    ])
  })

  test('a wallet whose name contains another wallet’s rdns is shown with its own rdns', () => {
    const { all } = discovering()
    announce(wallet({ name: 'MetaMask', rdns: 'io.metamask' }))
    announce(wallet({ name: 'MetaMask (io.metamask)', rdns: 'com.evil' }))
    announce(wallet({ name: 'MetaMask', uuid: 'no-rdns' }))
    expect(all()).toEqual([
      'ANNOUNCED io.metamask "MetaMask (io.metamask)"',
      'ANNOUNCED com.evil "MetaMask (io.metamask) (com.evil)"',
      'ANNOUNCED MetaMask "MetaMask (?)"',
    ])
  })

  test('a look-alike that is announced first and has no rdns is marked with a question mark', () => {
    const { all } = discovering()
    announce(wallet({ name: 'MetaMask', uuid: 'no-rdns' }))
    announce(wallet({ name: 'MetaMask', rdns: 'io.metamask' }))
    expect(all()).toEqual(['ANNOUNCED MetaMask "MetaMask (?)"', 'ANNOUNCED io.metamask "MetaMask (io.metamask)"'])
  })

  test.each([
    { name: 'INJECTED', uuid: 'u-1' },
    { name: 'Injected', uuid: 'u-1' },
    { name: 'Evil', uuid: 'injected' },
    { name: 'Evil', uuid: 'INJECTED', rdns: 'com.evil' },
    { name: 'Evil', uuid: 'coinbasewallet', rdns: 'com.evil' },
  ])('a wallet with the name $name and the uuid $uuid does not displace another wallet', (info) => {
    announce(wallet(info))
    const { found } = discovering()
    const [evil] = [...found.keys()]
    Object.assign(window, { ethereum: provider(), coinbaseWalletExtension: provider() })
    window.dispatchEvent(new Event('ethereum#initialized'))
    expect(evil?.toLowerCase()).not.toMatch(/^(injected|coinbasewallet)$/)
    expect([...found.keys()].slice(1).sort()).toEqual(['coinbaseWallet', 'injected'])
  })

  test('the number of announced wallets is limited', () => {
    const { found } = discovering()
    for (let at = 0; at < 1000; at++) announce(wallet({ name: `Wallet ${at}`, rdns: `com.evil${at}` }))
    expect(found.size).toBeLessThanOrEqual(200)
    expect(found.size).toBeGreaterThanOrEqual(100)
  })

  test.each([
    'walletConnect',
    'injected',
    'announced',
    'coinbaseWallet',
    'coinbaseWalletSDK',
    'safe',
    'ledger',
    'okx',
    'eip6963',
    'ID_AUTH',
    'AUTH',
  ])('the reserved ID %s cannot be claimed, regardless of case [R3.13]', (id) => {
    const { found } = discovering()
    for (const [at, name] of [id, id.toUpperCase()].entries()) announce(wallet({ name, uuid: `own-${at}` }))
    expect([...found.keys()]).toEqual(['own-0', 'own-1'])
  })

  test('icons that are too large, remote or not images are dropped', () => {
    const { found } = discovering()
    const icons = [
      `data:image/png;base64,${'A'.repeat(200_000)}`,
      'https://evil.example/x.png',
      'data:text/html,<script>',
      'javascript:0',
      7,
    ]
    for (const [at, bad] of icons.entries())
      announce(wallet({ name: `Wallet ${'abcde'[at]}`, rdns: `io.w${at}`, icon: bad }))
    expect([...found.values()].map((item) => item.icon)).toEqual(icons.map(() => undefined))
  })

  test('scripts in an SVG icon do not run when an img element displays it', async () => {
    const { found } = discovering()
    const script = `<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hacked=1"><script>parent.hacked=1</script></svg>`
    announce(
      wallet({ name: 'Scripted', rdns: 'io.script', icon: `data:image/svg+xml;utf8,${encodeURIComponent(script)}` }),
    )
    const image = new Image()
    image.src = found.get('io.script')?.icon ?? ''
    await image.decode().catch(() => {})
    expect('hacked' in window).toBe(false)
  })

  test('invalid announcements and objects that throw are ignored without causing an error', () => {
    const errors: unknown[] = []
    const note = (event: ErrorEvent) => void errors.push(event.error)
    window.addEventListener('error', note)
    const { all } = discovering()
    const thrower = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no')
        },
        has: () => {
          throw new Error('no')
        },
      },
    )
    for (const detail of [
      undefined,
      null,
      7,
      {},
      { info: null },
      { info: {}, provider: null },
      { info: { rdns: 'io.x' }, provider: {} },
    ])
      announce(detail)
    announce(thrower)
    announce({ info: thrower, provider: provider() })
    announce({ info: { uuid: 'u', name: 'N', icon, rdns: 'io.n' }, provider: thrower })
    announce(
      Object.freeze({
        info: Object.freeze({ uuid: 'f', name: 'Frozen', icon, rdns: 'io.frozen' }),
        provider: Object.freeze(provider()),
      }),
    )
    window.removeEventListener('error', note)
    expect(all()).toEqual(['ANNOUNCED io.frozen "Frozen"'])
    expect(errors).toEqual([])
  })

  test('control characters in a name are removed, and long names are truncated', () => {
    const { all } = discovering()
    announce(wallet({ name: `\u202e${'W'.repeat(200)}`, rdns: 'io.turn' }))
    expect(all()).toEqual([`ANNOUNCED io.turn "${'W'.repeat(40)}"`])
  })
})

describe('injected wallets', () => {
  const stand = (name: string, value: unknown) => Object.defineProperty(window, name, { value, configurable: true })

  test('window.ethereum is listed as Browser Wallet [R3.13] [R3.14]', () => {
    stand('ethereum', provider())
    expect(discovering().all()).toEqual(['INJECTED injected "Browser Wallet"'])
  })

  test('window.ethereum is found even if it is injected late', () => {
    const { all } = discovering()
    expect(all()).toEqual([])
    stand('ethereum', provider())
    window.dispatchEvent(new Event('ethereum#initialized'))
    expect(all()).toEqual(['INJECTED injected "Browser Wallet"'])
  })

  test('window.ethereum is not listed if the injected option is false', () => {
    stand('ethereum', provider())
    expect(discovering({ injected: false }).all()).toEqual([])
  })

  test('Coinbase is listed separately if it injects coinbaseWalletExtension [R3.13] [R3.14]', () => {
    stand('coinbaseWalletExtension', provider())
    expect(discovering().all()).toEqual(['EXTERNAL coinbaseWallet "Coinbase"'])
  })

  test('the Browser Wallet is the first provider in window.ethereum.providers that is not Coinbase', async () => {
    const requests: string[] = []
    const providerOf = (who: string, flags: object) => ({
      ...flags,
      request: async ({ method }: { method: string }) => {
        requests.push(who)
        return method === 'eth_chainId' ? '0x1' : ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266']
      },
    })
    const coinbase = providerOf('coinbase', { isCoinbaseWallet: true })
    const other = providerOf('other', {})
    stand('ethereum', { ...coinbase, providers: [coinbase, other] })
    const { all, found } = discovering()
    expect(all()).toEqual(['EXTERNAL coinbaseWallet "Coinbase"', 'INJECTED injected "Browser Wallet"'])
    const session = await found.get('injected')?.connect({ signal: stop.signal })
    expect(session?.accounts).toEqual(['eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'])
    expect(requests).toEqual(['other', 'other'])
  })

  test('Coinbase is listed only once if it is both announced and injected [R3.13]', () => {
    stand('ethereum', { ...provider(), isCoinbaseWallet: true })
    announce(wallet({ name: 'Coinbase Wallet', rdns: 'com.coinbase.wallet' }))
    expect(discovering().all()).toEqual([
      'ANNOUNCED coinbaseWallet "Coinbase Wallet"',
      'INJECTED injected "Browser Wallet"',
    ])
  })

  test('Coinbase is recognized by either of its published IDs, and listed under the first [R3.13]', () => {
    const own = eip1193({ id: 'coinbaseWalletSDK', name: 'Coinbase', provider: provider() })
    announce(wallet({ name: 'Coinbase Wallet', rdns: 'com.coinbase.wallet' }))
    expect(discovering({ wallets: [own] }).all()).toEqual(['EXTERNAL coinbaseWallet "Coinbase"'])
  })

  test('a window.ethereum that throws is ignored', () => {
    Object.defineProperty(window, 'ethereum', {
      get: () => {
        throw new Error('no')
      },
      configurable: true,
    })
    expect(discovering().all()).toEqual([])
  })
})

test('a configured wallet takes precedence over an announced wallet with the same ID [R3.14]', () => {
  const own = eip1193({ id: 'io.own', name: 'Own', provider: provider() })
  announce(wallet({ name: 'Own elsewhere', rdns: 'io.own' }))
  expect(discovering({ wallets: [own] }).all()).toEqual(['EXTERNAL io.own "Own"'])
})

test('Safe is not listed unless the page runs inside the Safe app [R3.13]', () => {
  expect([...discovering().found.keys()]).not.toContain('safe')
})
