import { createLatchkey, type Latchkey } from '@latchkey/core'
import type { Adapter, Eip1193Provider } from '@latchkey/core/adapter'
import { memoryStorage } from '@latchkey/core/testing'
import { toBase58 } from '@latchkey/protocol/bytes'
import { localChain, type ScriptedFrame, scriptedFrame, testAccounts } from '@latchkey/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { evm } from '../evm/index.ts'
import { embedded } from './embeddedConnector.ts'
import type { Announcement } from './embeddedOptions.ts'
import { network } from './testing/harness.ts'

interface Detail {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string; readonly rdns: string }
  readonly provider: Required<Eip1193Provider>
}
interface StandardWallet {
  readonly name: string
  readonly chains: readonly string[]
  readonly accounts: readonly { readonly address: string; readonly chains: readonly string[] }[]
  // biome-ignore lint/suspicious/noExplicitAny: each feature has different methods.
  readonly features: Readonly<Record<string, any>>
}
interface StandardApp {
  readonly detail: { register(wallet: StandardWallet): () => void }
}

const [{ address }] = testAccounts
const solanaAddress = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
const mainnet = network('solana', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'Solana')
const solana: Adapter<'solana'> = { namespace: 'solana', networks: [mainnet], discover() {} }
const chains = [localChain({ rpcUrl: 'http://127.0.0.1:1' }), localChain({ id: 31338, rpcUrl: 'http://127.0.0.1:1' })]

let undos: (() => void)[] = []
afterEach(() => {
  for (const undo of undos) undo()
  undos = []
})

/** Listens for an event on the page until the test ends. */
function listenFor(event: string, listener: (event: CustomEvent) => void): void {
  window.addEventListener(event, listener as EventListener)
  undos.push(() => window.removeEventListener(event, listener as EventListener))
}

/** Creates a page with an announced embedded wallet and a second wallet kit that collects announcements. */
async function page({
  announce = true,
  adapters = [evm({ chains })],
}: {
  readonly announce?: boolean | Announcement
  readonly adapters?: readonly Adapter[]
} = {}) {
  const details: Detail[] = []
  listenFor('eip6963:announceProvider', ({ detail }) => details.push(detail))
  const frame: ScriptedFrame = scriptedFrame({
    script: {
      GET_USER: (request) =>
        String(request?.chainId).startsWith('solana')
          ? { address: solanaAddress, chainId: mainnet.caipNetworkId }
          : { address, chainId: Number(String(request?.chainId ?? 31337).replace('eip155:', '')) },
    },
  })
  let frames = 0
  const latchkey = createLatchkey({
    adapters,
    storage: memoryStorage(),
    logLevel: 'silent',
    defaultAccountTypes: { eip155: 'eoa' },
    wallets: [
      embedded({
        url: 'https://keys.bakery.example',
        announce,
        place() {
          frames += 1
          return { transport: frame.transport, show() {}, hide() {}, reload() {}, remove() {} }
        },
      }),
    ],
  })
  undos.push(latchkey.start())
  await latchkey.prepare()
  return { latchkey, details, frame, frames: () => frames }
}

/** Creates a page and waits for the wallet to be announced through EIP-6963. */
async function announced(options?: Parameters<typeof page>[0]) {
  const made = await page(options)
  await vi.waitUntil(() => made.details.length > 0)
  const { info, provider } = made.details[0] as Detail
  return { ...made, info, provider }
}

/** Runs `action` in a click handler so that there is user activation. */
async function pressed<T>(action: () => Promise<T>): Promise<{ readonly answer: Promise<T> }> {
  const button = document.createElement('button')
  button.textContent = 'Press'
  document.body.append(button)
  undos.push(() => button.remove())
  const answer = new Promise<T>((resolve, reject) => {
    button.onclick = () => void action().then(resolve, reject)
  })
  answer.catch(() => {})
  await userEvent.click(button)
  return { answer }
}

const isOpen = (latchkey: Latchkey): boolean => latchkey.state.get().modal.open

async function logIn(latchkey: Latchkey): Promise<void> {
  const login = await latchkey.login()
  await login?.submitEmail('ada@bakery.example')
  await login?.submitCode('123456')
}

test('a connect request without user activation is rejected without opening the modal', async () => {
  const { latchkey, provider, frames } = await announced()
  await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4100 })
  expect(isOpen(latchkey)).toBe(false)
  expect(frames()).toBe(0)
})

test('the same frozen object is announced at startup, on request and after a restart', async () => {
  const { latchkey, details, info } = await announced()
  expect(info).toMatchObject({ name: 'Latchkey', rdns: 'example.bakery.keys' })
  expect(info.uuid).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  expect(Object.isFrozen(details[0]) && Object.isFrozen(info)).toBe(true)
  const image = new Image()
  image.src = info.icon
  await image.decode()

  window.dispatchEvent(new Event('eip6963:requestProvider'))
  expect(details).toHaveLength(2)
  // A stopped instance does not respond, but announces the same wallet once it is started again.
  undos.pop()?.()
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  expect(details).toHaveLength(2)
  undos.push(latchkey.start())
  await vi.waitUntil(() => details.length === 3)
  expect(details.map(({ info: { uuid } }) => uuid)).toEqual(Array(3).fill(info.uuid))
  expect(new Set(details.map(({ provider }) => provider)).size).toBe(1)
})

test('the host can set the announced name and icon, and nothing is announced if announce is false', async () => {
  const { info } = await announced({ announce: { name: 'Bakery wallet', icon: 'data:image/png;base64,AA==' } })
  expect(info).toMatchObject({ name: 'Bakery wallet', icon: 'data:image/png;base64,AA==' })
  const silent = await page({ announce: false })
  await silent.latchkey.login()
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  expect(silent.details.filter(({ info: { name } }) => name === 'Latchkey')).toEqual([])
})

test('before login, the accounts and the chain are returned without loading the frame', async () => {
  const { provider, frames } = await announced()
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
  for (const method of ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain'])
    await expect(provider.request({ method, params: [] })).rejects.toMatchObject({ code: 4100 })
  expect(frames()).toBe(0)
})

test('repeated connect requests open the login once and return the account', async () => {
  const { latchkey, provider, frame } = await announced()
  const events: unknown[] = []
  for (const event of ['connect', 'chainChanged', 'accountsChanged', 'disconnect'])
    provider.on(event, (value: unknown) => events.push([event, value instanceof Error ? 'error' : value]))
  provider.on('accountsChanged', () => {
    throw new Error('An error in the page.')
  })
  const mistakes: string[] = []
  const onError = (event: ErrorEvent): void => {
    event.preventDefault()
    mistakes.push(event.message)
  }
  window.addEventListener('error', onError)
  undos.push(() => window.removeEventListener('error', onError))

  const ask = () => provider.request({ method: 'eth_requestAccounts' })
  const { answer } = await pressed(() => Promise.all([ask(), ask()]))
  await vi.waitUntil(() => isOpen(latchkey))
  expect(latchkey.state.get().modal.stack).toEqual([{ view: 'Connect', data: { login: true } }])
  latchkey.modal.push('WhatIsAWallet')
  const again = await pressed(ask)
  expect(latchkey.state.get().modal.stack).toHaveLength(2)
  latchkey.modal.back()
  await logIn(latchkey)
  expect(await answer).toEqual([[address], [address]])
  expect(await again.answer).toEqual([address])
  expect(isOpen(latchkey)).toBe(false)

  expect(await provider.request({ method: 'personal_sign', params: ['0x6869', address] })).toMatch(/^0x[\da-f]{130}$/)
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a6a' }] })
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a6a')
  await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
  expect(frame.user).toBeUndefined()
  expect(latchkey.account('eip155').status).toBe('disconnected')
  await vi.waitUntil(() => events.length === 5)
  expect(events).toEqual([
    ['connect', { chainId: '0x7a69' }],
    ['accountsChanged', [address]],
    ['chainChanged', '0x7a6a'],
    ['disconnect', 'error'],
    ['accountsChanged', []],
  ])
  expect(mistakes).toHaveLength(2)
})

test('closing the login rejects the request that opened it, and stopping the instance rejects pending requests', async () => {
  const { latchkey, provider } = await announced()
  const ask = () => provider.request({ method: 'eth_requestAccounts' })
  const first = await pressed(ask)
  await vi.waitUntil(() => isOpen(latchkey))
  latchkey.modal.close()
  await expect(first.answer).rejects.toMatchObject({ code: 4001 })

  const second = await pressed(ask)
  await vi.waitUntil(() => isOpen(latchkey))
  for (const undo of undos.splice(0)) undo()
  await expect(second.answer).rejects.toMatchObject({ code: 4001 })
  await expect(ask()).rejects.toMatchObject({ code: 4100 })
})

test('rejects a request if there are too many pending requests', async () => {
  const { latchkey, provider, frame } = await announced()
  await logIn(latchkey)
  const gates: (() => void)[] = []
  frame.script({ RPC_REQUEST: () => new Promise((resolve) => gates.push(() => resolve('0x1'))) })
  const requests = Array.from({ length: 65 }, () => provider.request({ method: 'eth_blockNumber' }))
  await expect(requests.pop()).rejects.toMatchObject({ code: -32005 })
  await vi.waitUntil(() => gates.length === 64)
  for (const open of gates) open()
  await Promise.all(requests)
  const next = provider.request({ method: 'eth_blockNumber' })
  await vi.waitUntil(() => gates.length === 65)
  gates.at(-1)?.()
  expect(await next).toBe('0x1')
})

test('the wallet list omits our own announcement, but includes a different wallet with the same name and rdns', async () => {
  const { latchkey, info } = await announced()
  const announce = () => {
    const detail = { info: { ...info, uuid: crypto.randomUUID() }, provider: { request: async () => [] } }
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  expect(latchkey.shown()).toEqual([])
  announce()
  expect(latchkey.shown().map(({ id, type }) => [id, type])).toEqual([[info.rdns, 'ANNOUNCED']])
  // Logins still use our own wallet, because an announcement cannot replace it.
  expect(latchkey.connector('ID_AUTH', 'eip155')).toMatchObject({ type: 'AUTH' })
  expect(latchkey.connectMethods()).toContain('email')
})

test('our wallet and a wallet that was announced earlier with the same rdns do not hide each other', async () => {
  const rdns = 'example.bakery.keys'
  const detail = {
    info: { uuid: crypto.randomUUID(), name: 'Latchkey', rdns, icon: 'data:image/png;base64,AA==' },
    provider: { request: async () => [] },
  }
  listenFor('eip6963:requestProvider', () => {
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  })
  const { latchkey, details } = await announced()
  await vi.waitUntil(() => details.some(({ info }) => info.rdns === rdns && info.uuid !== detail.info.uuid))
  expect(latchkey.shown().map(({ id }) => id)).toEqual([rdns])
  expect(latchkey.connector('ID_AUTH', 'eip155')).toMatchObject({ type: 'AUTH' })
})

test('the wallet is announced only for the host’s chain families, and is unregistered when the instance stops', async () => {
  const registered = new Set<unknown>()
  listenFor('wallet-standard:register-wallet', ({ detail }) =>
    detail({
      register(wallet: unknown) {
        registered.add(wallet)
        return () => void registered.delete(wallet)
      },
    }),
  )
  const { details } = await page({ adapters: [solana] })
  await vi.waitUntil(() => registered.size === 1)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  expect(details).toEqual([])
  undos.pop()?.()
  expect(registered.size).toBe(0)

  await announced()
  expect(registered.size).toBe(0)
})

test('if Solana is configured, the wallet is registered through Wallet Standard for apps that load before or after it', async () => {
  const apps: { readonly wallets: Set<StandardWallet> }[] = []
  const app = () => {
    const wallets = new Set<StandardWallet>()
    const api = {
      register(wallet: StandardWallet) {
        wallets.add(wallet)
        return () => void wallets.delete(wallet)
      },
    }
    listenFor('wallet-standard:register-wallet', ({ detail }) => detail(api))
    window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }) as never as StandardApp & Event)
    apps.push({ wallets })
    return wallets
  }
  const early = app()
  const { latchkey, frame, frames } = await announced({ adapters: [evm({ chains }), solana] })
  const late = app()
  expect([early.size, late.size]).toEqual([1, 1])
  const [wallet] = [...late] as [StandardWallet]
  expect(wallet).toBe([...early][0])
  expect(wallet).toMatchObject({ name: 'Latchkey', version: '1.0.0', accounts: [] })

  const changes: unknown[] = []
  wallet.features['standard:events'].on('change', (change: unknown) => changes.push(change))
  expect(await wallet.features['standard:connect'].connect({ silent: true })).toEqual({ accounts: [] })
  await expect(wallet.features['solana:signMessage'].signMessage({})).rejects.toMatchObject({ code: 4100 })
  expect(frames()).toBe(0)

  const { answer } = await pressed(() => wallet.features['standard:connect'].connect())
  await vi.waitUntil(() => isOpen(latchkey))
  await logIn(latchkey)
  const { accounts } = (await answer) as StandardWallet
  expect(accounts).toEqual([
    {
      address: solanaAddress,
      publicKey: expect.any(Uint8Array),
      chains: ['solana:mainnet'],
      features: ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction'],
    },
  ])
  await vi.waitUntil(() => changes.length === 1)
  expect(changes).toEqual([{ accounts }])
  expect(wallet.accounts[0]).toBe(accounts[0])

  const signature = new Uint8Array(64).fill(7)
  frame.script({
    RPC_REQUEST: () => ({ signature: toBase58(signature) }),
    GET_USER: () => ({ address: solanaAddress, chainId: mainnet.caipNetworkId }),
  })
  const message = new Uint8Array([1, 2, 3])
  const [account] = accounts
  expect(await wallet.features['solana:signMessage'].signMessage({ account, message })).toEqual([
    { signedMessage: message, signature },
  ])
  // A transaction for a different cluster is not sent.
  const { signAndSendTransaction } = wallet.features['solana:signAndSendTransaction']
  await expect(signAndSendTransaction({ account, transaction: message, chain: 'solana:devnet' })).rejects.toMatchObject(
    { code: 4100 },
  )

  await wallet.features['standard:disconnect'].disconnect()
  expect(wallet.accounts).toEqual([])
  expect(frame.user).toBeUndefined()
})
