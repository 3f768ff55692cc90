import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { AuthenticateRequest, PairingProvider, PairingResult, PairingUri, Session } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { State, Toast } from '../latchkeyTypes.ts'
import { abortable } from '../lib/abortable.ts'
import { isInAppBrowser } from '../lib/inAppBrowser.ts'
import type { Log } from '../lib/log.ts'
import type { ReadableStore } from '../lib/store.ts'
import type { AuthenticationAdapter } from '../signIn/signInTypes.ts'
import type { StorageSchema } from '../storage/storageSchema.ts'
import { connectNamespaces } from '../wallets/connectNamespaces.ts'
import { createPairingAttempts } from './pairingAttempts.ts'
import { createPairingSignIn } from './pairingSignIn.ts'
import type { ConnectionMethod, Pairing } from './pairingTypes.ts'
import { createWalletLinks } from './walletLinks.ts'

/** The dependencies of `createPairing`. */
export interface PairingDependencies {
  readonly pairing: () => Promise<PairingProvider>
  readonly records: Pick<StorageSchema, 'deepLink'>
  readonly clock: Clock
  readonly log: Log
  readonly state: ReadableStore<State>
  /** Whether the host controls WalletConnect itself. If so, opening a view does not start a pairing. */
  readonly manual: boolean
  readonly universalLinks: boolean
  /** The host's authentication adapter. Set if wallets sign in while they connect. */
  readonly signIn?: AuthenticationAdapter | undefined
  mobile(): boolean
  /** Connects `namespace` through the new pairing. A `secondary` namespace does not become the active one. */
  connect(params: {
    namespace: Namespace
    chain?: ChainId | undefined
    secondary: boolean
    by: { method: 'mobile' | 'qrcode'; name: string }
  }): Promise<Session>
  /** Adds a directory wallet to the recent wallets. */
  used(wallet: Wallet): void
  track(event: AnalyticsEvent): void
  toast(kind: Toast['kind'], text: string): void
  hideToast(): void
  /** The page's window. Defaults to `globalThis.window`. */
  readonly page?: Window
}

/** A call to `connect` that is waiting for a wallet. */
interface ConnectCall {
  readonly namespace: Namespace | undefined
  readonly chain: ChainId | undefined
  resolve(session: Session): void
  reject(error: unknown): void
}

/** A wallet's response to an offer, and the sign-in request that was sent with the offer. */
interface Answer {
  readonly result: PairingResult
  readonly signInRequest: AuthenticateRequest | undefined
}

/** Creates the pairing for an instance. Nothing is loaded or sent to a relay until a view opens or the host connects. */
export function createPairing(dependencies: PairingDependencies): Pairing & {
  /** Reopens the wallet app when a request is pending there. */
  remind(params: { readonly requestId: number; readonly topic: string }): void
  stop(): void
} {
  const { log } = dependencies
  const page = dependencies.page ?? globalThis.window
  const calls = new Set<ConnectCall>()
  let views = 0
  /** Whether the pairing has succeeded and a view still shows it. */
  let entered = false
  let chosen: { readonly wallet?: Wallet | undefined; readonly by: ConnectionMethod } = { by: 'qrcode' }
  let authenticating = 'Authenticating...'
  let isOpen = dependencies.state.get().modal.open

  const links = createWalletLinks({ ...dependencies, page })
  const signIn = dependencies.signIn && createPairingSignIn({ ...dependencies, authentication: dependencies.signIn })
  const offers = createPairingAttempts<Answer>({
    clock: dependencies.clock,
    pair,
    paired: connectPaired,
    disconnect: ({ result }) => result.disconnect(),
    isViewed: () => views > 0,
    failed(error, { isDisplayed }) {
      if (isDisplayed && error.code !== 'pairing/expired')
        dependencies.track({ event: 'CONNECT_ERROR', properties: { message: error.message } })
      for (const call of calls) call.reject(error)
      calls.clear()
    },
  })
  const { state } = offers

  const reset = (): void => {
    entered = false
    offers.reset()
  }

  async function pair(params: { readonly signal: AbortSignal; onUri(offer: PairingUri): void }): Promise<Answer> {
    const { signal } = params
    const provider = await abortable(dependencies.pairing(), signal)
    const signInRequest = signIn && (await abortable(signIn.request(), signal))
    const result = await provider.pair({ ...params, ...(signInRequest && { signIn: signInRequest }) })
    return { result, signInRequest }
  }

  async function connectPaired({ result, signInRequest }: Answer): Promise<void> {
    const { wallet, by } = chosen
    const { signed, namespaces } = result
    const call = [...calls].at(-1)
    const isSigned = signInRequest !== undefined && signed.length > 0
    if (isSigned) await signIn?.store({ signed, request: signInRequest, text: authenticating })
    const name = wallet?.name ?? result.wallet.name
    const method = { method: by === 'mobile' ? 'mobile' : 'qrcode', name } as const
    const session = await connectNamespaces({
      namespaces,
      preferred: [call?.namespace, call?.chain && namespaceOf(call.chain), dependencies.state.get().networks.namespace],
      walletName: name,
      log,
      connect: ({ namespace, secondary }) =>
        dependencies.connect({ namespace, ...(!secondary && { chain: call?.chain }), secondary, by: method }),
    }).catch(async (error: unknown) => {
      // The account is not connected, so it must not stay signed in.
      if (isSigned) await signIn?.revoke()
      throw error
    })
    if (wallet) dependencies.used(wallet)
    links.store({ wallet, by, name })
    // The view shows the successful connection until the modal navigates away.
    if (views > 0) entered = true
    offers.finish()
    for (const { resolve } of calls) resolve(session)
    calls.clear()
  }

  const unfollow = dependencies.state.subscribe(() => {
    const { open } = dependencies.state.get().modal
    if (open === isOpen) return
    isOpen = open
    // Do not keep the secret when it is no longer needed.
    if (!open && calls.size === 0 && (entered || state.get().status !== 'entering')) reset()
  })

  return {
    state,
    canLeave: !isInAppBrowser(page),
    look({ wallet, by, authenticating: text }) {
      chosen = { wallet, by }
      if (text) authenticating = text
      views += 1
      if (entered) reset()
      const { status } = state.get()
      const needsOffer = status === 'idle' || (status === 'offered' && !offers.isUsable()) || status === 'failed'
      if (needsOffer && !dependencies.manual) offers.restart()
      let isViewed = true
      return () => {
        if (isViewed) views -= 1
        isViewed = false
      }
    },
    renew: offers.renew,
    link(wallet, by) {
      const { offer } = state.get()
      return offer && links.link({ wallet, by, offer })
    },
    open: links.open,
    remind: links.openStored,
    connect({ namespace, chain, signal }) {
      return new Promise((resolve, reject) => {
        const call: ConnectCall = { namespace, chain, resolve, reject }
        const abort = (): void => {
          if (!calls.delete(call)) return
          reject(isLatchkeyError(signal?.reason) ? signal.reason : new LatchkeyError('request/aborted'))
          if (calls.size === 0 && views === 0) reset()
        }
        if (signal?.aborted) return reject(new LatchkeyError('request/aborted'))
        signal?.addEventListener('abort', abort, { once: true })
        calls.add(call)
        if (!offers.isPending() || (state.get().status === 'offered' && !offers.isUsable())) offers.begin()
      })
    },
    stop() {
      unfollow()
      offers.fail(new LatchkeyError('request/aborted'))
    },
  }
}
