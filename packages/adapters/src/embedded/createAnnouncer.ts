import type { AnnouncedWallet, Eip1193Provider, WalletAnnouncer } from '@latchkey/core/adapter'
import type { EmbeddedOptions } from './embeddedOptions.ts'
import type { EmbeddedSolanaProvider } from './solanaSession.ts'

type Listener = (value: never) => void

/** The maximum number of pending requests, so that a script cannot flood the wallet with requests. */
const maxOpen = 64

const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M0 0h16v16H0"/><path d="M13 11V8H8a2 2 0 1 0-4 0 2 2 0 1 0 4 0" stroke="#fff"/></svg>'

/**
 * Announces the embedded wallet through EIP-6963 and, if the wallet supports Solana, through Wallet Standard. Any script on the
 * page can use the announced wallet, just as it can use the page's own session, but users still approve requests on the keys
 * origin. The announcer never opens the frame itself. It opens the modal only if there is user activation, for example after a
 * click.
 */
export function createAnnouncer({ url, announce }: EmbeddedOptions): WalletAnnouncer {
  const walletInfo = { name: 'Latchkey', icon: `data:image/svg+xml;base64,${btoa(mark)}`, ...(announce as object) }
  const rdns = new URL(url).hostname.split('.').reverse().join('.')
  let wallet: AnnouncedWallet | undefined
  let openCount = 0

  const bounded = async <T>(action: () => T): Promise<Awaited<T>> => {
    if (openCount >= maxOpen) throw failure(-32005, 'Too many requests.')
    openCount++
    try {
      return await action()
    } finally {
      openCount--
    }
  }
  const connect = (namespace: 'eip155' | 'solana', silent?: boolean): Promise<unknown> =>
    bounded(() => {
      // Do not open the modal without user activation, for example when the page loads or repeats its requests.
      if (silent || wallet?.session(namespace) || navigator.userActivation?.isActive !== false)
        return wallet?.connect({ namespace, silent })
      throw failure(4100, 'User action required.')
    })

  const listeners: Record<string, Set<Listener>> = {}
  const on = (event: string, listener: Listener) => (listeners[event] ??= new Set()).add(listener)
  const off = (event: string, listener: Listener) => listeners[event]?.delete(listener)
  const emit = (event: string, value: unknown): void => {
    // An error in one listener must not affect other listeners.
    for (const listener of listeners[event] ?? []) queueMicrotask(() => listener(value as never))
  }

  // EIP-1193
  const provider: Eip1193Provider = {
    async request(call) {
      const { method } = call
      const asksSilently = method === 'eth_accounts'
      if (asksSilently || method === 'eth_requestAccounts') await connect('eip155', asksSilently)
      const session = wallet?.session('eip155')
      if (asksSilently) return session?.addresses ?? []
      if (method === 'wallet_revokePermissions') return wallet?.leave()
      if (session) return bounded(() => (session.provider as Eip1193Provider).request(call))
      const [chain] = wallet?.chains('eip155') ?? []
      if (chain && method === 'eth_chainId') return hexOf(chain)
      throw failure(4100)
    },
    on,
    removeListener: off,
  }

  const detail = Object.freeze({ info: Object.freeze({ ...walletInfo, uuid: crypto.randomUUID(), rdns }), provider })

  // Wallet Standard
  const feature = (more: object) => ({ version: '1.0.0', ...more })
  const signs = Object.fromEntries(
    ['signMessage', 'signTransaction', 'signAndSendTransaction'].map((name) => [
      `solana:${name}`,
      feature({
        supportedTransactionVersions: ['legacy', 0],
        [name]: (...inputs: readonly { readonly chain?: string }[]) =>
          bounded(() => {
            const solana = wallet?.session('solana')?.provider as EmbeddedSolanaProvider | undefined
            // Do not sign for a chain other than the active one.
            if (!solana || inputs.some(({ chain }) => chain && chain !== solana.account.chains[0])) throw failure(4100)
            // Each feature has a single method, which has the same name as the feature.
            return (solana.features as never as Record<string, Record<string, (...all: unknown[]) => unknown>>)[
              `solana:${name}`
            ]?.[name]?.(...inputs)
          }),
      }),
    ]),
  )
  let accounts: readonly object[] = []
  const standard = {
    ...walletInfo,
    version: '1.0.0',
    // The account specifies which of these chains is active.
    chains: ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet'],
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': feature({
        async connect(how?: { readonly silent?: boolean }) {
          await connect('solana', how?.silent)
          return { accounts }
        },
      }),
      'standard:disconnect': feature({ disconnect: async () => wallet?.leave() }),
      'standard:events': feature({
        on(event: string, listener: Listener) {
          on(event, listener)
          return () => off(event, listener)
        },
      }),
      ...signs,
    },
  }

  const last: { chain?: string | undefined; addresses?: string; solana?: string } = {}
  const changed = (what: keyof typeof last, now: string | undefined): boolean => {
    const before = last[what]
    last[what] = now as string
    return now !== before
  }
  const look = (): void => {
    const evm = wallet?.session('eip155')
    const solana = wallet?.session('solana')
    const before = last.chain
    const chain = evm && hexOf(evm.chain)
    if (changed('chain', chain)) {
      if (!chain) emit('disconnect', failure(4900))
      else if (before) emit('chainChanged', chain)
      else emit('connect', { chainId: chain })
    }
    if (changed('addresses', `${evm?.addresses}`)) emit('accountsChanged', evm?.addresses ?? [])
    if (!changed('solana', solana && solana.chain + solana.addresses)) return
    accounts = solana ? [(solana.provider as EmbeddedSolanaProvider).account] : []
    emit('change', { accounts })
  }

  return {
    isOwn: (other) => other === provider,
    start(now) {
      wallet = now
      const stop = new AbortController()
      const atStop = (undo: () => void) => stop.signal.addEventListener('abort', undo)
      atStop(now.onChange(look))
      look()
      if (now.chains('eip155')[0]) {
        const announceProvider = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
        addEventListener('eip6963:requestProvider', announceProvider, stop)
        announceProvider()
      }
      if (now.chains('solana')[0]) {
        const register = (app: { register(wallet: unknown): () => void }) => atStop(app.register(standard))
        addEventListener('wallet-standard:app-ready', ((event: CustomEvent) => register(event.detail)) as never, stop)
        dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
      }
      return () => {
        wallet = undefined
        look()
        stop.abort()
      }
    },
  }
}

/** Converts an EVM chain's CAIP-2 ID to a hex chain ID, such as `eip155:137` to `0x89`. */
function hexOf(chain: string): string {
  return `0x${Number(chain.slice(7)).toString(16)}`
}

/** Creates an EIP-1193 error. */
function failure(code: number, message = 'Not connected.'): Error {
  return Object.assign(new Error(message), { code })
}
