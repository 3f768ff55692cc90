import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { maxPairingRounds, minPairingLifeMs, retryGapMs } from '@latchkey/protocol/constants'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { Wallet } from '@latchkey/protocol/http/contract'
import { isSafeLink, mayCarrySecret } from '@latchkey/protocol/links'
import type { AuthenticateRequest, PairingProvider, PairingResult, Session } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { State, Toast } from '../latchkey.ts'
import { abortable } from '../lib/abort.ts'
import { isInApp } from '../lib/device.ts'
import type { Log } from '../lib/log.ts'
import { createStore, type ReadableStore } from '../lib/store.ts'
import type { AuthenticationAdapter } from '../signIn/signIn.ts'
import type { StorageRecords } from '../storage/storageRecords.ts'
import { answersRequest, authenticateRequest, sessionOf } from './authenticateRequest.ts'
import { linkTarget, pairingLink, platformContext, requestLink } from './deepLink.ts'
import type { ConnectionMethod, OpenableLink, Pairing, PairingState } from './pairing.ts'

/** The dependencies of pairing. */
export interface PairingDependencies {
  readonly pairing: () => Promise<PairingProvider>
  readonly records: Pick<StorageRecords, 'deepLink'>
  readonly clock: Clock
  readonly log: Log
  readonly state: ReadableStore<State>
  /** Whether the host controls WalletConnect itself. Opening a view then starts no pairing. */
  readonly manual: boolean
  readonly universalLinks: boolean
  /** Set if wallets are asked to sign in while they connect. */
  readonly signIn?: AuthenticationAdapter | undefined
  mobile(): boolean
  /** Connects `namespace` through the new pairing. With `beside`, it does not become the active namespace. */
  connect(params: {
    namespace: Namespace
    chain?: ChainId | undefined
    beside: boolean
    by: { method: 'mobile' | 'qrcode'; name: string }
  }): Promise<Session>
  /** Called when a directory wallet was used, to add it to the recent wallets. */
  used(wallet: Wallet): void
  track(event: AnalyticsEvent): void
  toast(kind: Toast['kind'], text: string): void
  hideToast(): void
  /** [the page's window] */
  readonly page?: Window
}

interface Attempt {
  readonly stop: AbortController
}

interface Waiter {
  readonly namespace: Namespace | undefined
  readonly chain: ChainId | undefined
  resolve(session: Session): void
  reject(error: unknown): void
}

const initialState: PairingState = { status: 'idle', offer: undefined, error: undefined }

/** Creates the pairing of an instance. Nothing is loaded or sent to a relay before a view opens or the host connects. */
export function createPairing(deps: PairingDependencies): Pairing & {
  /** Opens a session's wallet app again, because a request is pending there. */
  remind(params: { readonly requestId: number; readonly topic: string }): void
  stop(): void
} {
  const { clock, log, records } = deps
  const page = deps.page ?? globalThis.window
  const store = createStore<PairingState>(initialState)
  const attempts = new Set<Attempt>()
  const waiters = new Set<Waiter>()
  let newest: Attempt | undefined
  let lookers = 0
  let rounds = 0
  /** Whether the pairing succeeded while a view still shows it. */
  let entered = false
  let lastStart = Number.NEGATIVE_INFINITY
  let cancelTimer = (): void => {}
  let chosen: { readonly wallet?: Wallet | undefined; readonly by: ConnectionMethod } = { by: 'qrcode' }
  let authenticating = 'Authenticating...'
  let isOpen = deps.state.get().modal.open

  const endAll = (but?: Attempt): void => {
    cancelTimer()
    for (const attempt of attempts) if (attempt !== but) attempt.stop.abort(new LatchkeyError('request/aborted'))
    attempts.clear()
    newest = but
  }
  const reset = (): void => {
    endAll()
    entered = false
    rounds = 0
    store.set(initialState)
  }
  /** With less than ten seconds left, a wallet cannot respond in time. */
  const isGood = (): boolean => {
    const { offer } = store.get()
    return offer !== undefined && offer.expiresAt - clock.now() > minPairingLifeMs
  }

  const begin = (): void => {
    const attempt: Attempt = { stop: new AbortController() }
    attempts.add(attempt)
    newest = attempt
    lastStart = clock.now()
    rounds += 1
    cancelTimer()
    store.set({ status: 'preparing', offer: undefined, error: undefined })
    run(attempt).then(
      () => attempts.delete(attempt),
      (error: unknown) => {
        attempts.delete(attempt)
        if (newest === attempt) fail(toLatchkeyError(error))
      },
    )
  }

  const run = async (attempt: Attempt): Promise<void> => {
    const { signal } = attempt.stop
    const { signIn } = deps
    const pairing = await abortable(deps.pairing(), signal)
    const oneClick =
      signIn && (await abortable(authenticateRequest(signIn, deps.state.get().networks, clock.now()), signal))
    const paired = await pairing.pair({
      signal,
      ...(oneClick && { signIn: oneClick }),
      onUri(offer) {
        if (newest !== attempt || signal.aborted) return
        store.set({ status: 'offered', offer, error: undefined })
        cancelTimer = clock.after(Math.max(0, offer.expiresAt - clock.now() - minPairingLifeMs), outdated)
      },
    })
    if (!attempts.has(attempt)) return paired.disconnect()
    newest = attempt
    endAll(attempt)
    store.set({ status: 'entering', offer: undefined, error: undefined })
    try {
      await enter(paired, oneClick)
      rounds = 0
    } catch (error) {
      await paired.disconnect().catch(() => {})
      throw error
    }
  }

  /** Handles an offer that is about to expire. A wallet that has just scanned it can still approve it while the next offer is shown. */
  const outdated = (): void => {
    if (lookers === 0) store.set({ ...store.get(), offer: undefined })
    else if (rounds < maxPairingRounds) begin()
    else fail(failure('pairing/expired'))
  }

  const enter = async (paired: PairingResult, oneClick: AuthenticateRequest | undefined): Promise<void> => {
    const { wallet, by } = chosen
    const request = [...waiters].at(-1)
    await keepSigned(paired, oneClick)
    const wanted = [
      request?.namespace,
      request?.chain && namespaceOf(request.chain),
      deps.state.get().networks.namespace,
    ]
    const first = wanted.find((each) => each !== undefined && paired.namespaces.includes(each)) ?? paired.namespaces[0]
    const name = wallet?.name ?? paired.wallet.name
    const how = { method: by === 'mobile' ? 'mobile' : 'qrcode', name } as const
    const session = await deps
      .connect({ namespace: first, chain: request?.chain, beside: false, by: how })
      .catch(async (error: unknown) => {
        // The account is not connected, so it must not stay signed in.
        if (oneClick && paired.signed.length > 0)
          await deps.signIn
            ?.setSessions([])
            .catch((failed: unknown) => log.warn('A sign-in session was not revoked', failed))
        throw error
      })
    for (const namespace of paired.namespaces) {
      if (namespace === first) continue
      await deps
        .connect({ namespace, beside: true, by: how })
        .catch((error: unknown) => log.warn(`${name} was not connected on ${namespace}`, error))
    }
    if (wallet) deps.used(wallet)
    const href = wallet && by !== 'qrcode' ? appLink(wallet, by)?.app : undefined
    if (wallet && href)
      records.deepLink.set({ href: pairingLink({ app: href, uri: '' }, platformContext(page)).href, name })
    else records.deepLink.clear()
    newest = undefined
    // A view shows the success until the modal navigates away.
    if (lookers > 0) entered = true
    else store.set(initialState)
    for (const waiter of waiters) waiter.resolve(session)
    waiters.clear()
  }

  /** Verifies and stores the sign-in that the wallet signed while connecting. Rejects if it is invalid, so that the account is not connected. */
  const keepSigned = async ({ signed }: PairingResult, oneClick: AuthenticateRequest | undefined): Promise<void> => {
    if (!deps.signIn || !oneClick || signed.length === 0) return
    deps.toast('loading', authenticating)
    try {
      if (!signed.every((each) => answersRequest(oneClick, each))) throw failure('sign-in/invalid')
      await deps.signIn.setSessions(signed.map(sessionOf))
      deps.track({ event: 'SIWX_AUTH_SUCCESS' })
    } catch (error) {
      deps.track({ event: 'SIWX_AUTH_ERROR', properties: { message: toLatchkeyError(error).message } })
      // A host's adapter can throw any error.
      throw isLatchkeyError(error) ? error : failure('sign-in/invalid', undefined, { cause: error })
    } finally {
      deps.hideToast()
    }
  }

  const fail = (error: LatchkeyError): void => {
    endAll()
    const unasked = error.code === 'request/aborted' || (error.code === 'pairing/expired' && lookers === 0)
    store.set(unasked ? initialState : { status: 'failed', offer: undefined, error })
    if (!unasked && error.code !== 'pairing/expired')
      deps.track({ event: 'CONNECT_ERROR', properties: { message: error.message } })
    for (const waiter of waiters) waiter.reject(error)
    waiters.clear()
  }

  const appLink = (
    wallet: Wallet,
    by: Exclude<ConnectionMethod, 'qrcode'>,
  ): { app: string; universal?: string } | undefined => {
    const { mobile_link, link_mode, desktop_link, webapp_link } = wallet
    const app = by === 'mobile' ? (mobile_link ?? link_mode) : by === 'desktop' ? desktop_link : webapp_link
    return app ? { app, ...(by === 'mobile' && link_mode ? { universal: link_mode } : {}) } : undefined
  }

  const openLink = ({ url, target }: OpenableLink, href: string): boolean => {
    // Any script on the page could have written the stored link.
    if (!isSafeLink(url)) return false
    if (!page.document.hasFocus()) {
      // A page in the background would come to the front, or the browser would block the popup.
      log.warn(failure('link/skipped', { href }).message)
      return false
    }
    page.open(url, target, 'noreferrer noopener')
    return true
  }

  const unfollow = deps.state.subscribe(() => {
    const { open } = deps.state.get().modal
    if (open === isOpen) return
    isOpen = open
    // Do not keep the secret when it is no longer needed.
    if (!open && waiters.size === 0 && (entered || store.get().status !== 'entering')) reset()
  })

  return {
    state: store,
    canLeave: !isInApp(page),
    look({ wallet, by, authenticating: words }) {
      chosen = { wallet, by }
      if (words) authenticating = words
      lookers += 1
      if (entered) reset()
      const { status } = store.get()
      const starts = status === 'idle' || (status === 'offered' && !isGood()) || status === 'failed'
      if (starts && !deps.manual) {
        rounds = 0
        begin()
      }
      let looking = true
      return () => {
        if (looking) lookers -= 1
        looking = false
      }
    },
    renew() {
      const { status } = store.get()
      if (status === 'preparing' || status === 'entering') return
      // Limits the wait if the system clock was set back.
      const wait = Math.min(retryGapMs, lastStart + retryGapMs - clock.now())
      rounds = 0
      if (wait <= 0) begin()
      // A code that was just created does not need to be renewed. After a failure, show immediately that a retry is pending.
      else if (status === 'failed') {
        store.set({ status: 'preparing', offer: undefined, error: undefined })
        cancelTimer = clock.after(wait, begin)
      }
    },
    link(wallet, by) {
      const { offer } = store.get()
      const at = appLink(wallet, by)
      if (!offer || !at) return undefined
      const around = platformContext(page)
      try {
        const { redirect, universal } = pairingLink({ ...at, uri: offer.uri }, around)
        const url = [...(deps.universalLinks && universal ? [universal] : []), redirect].find(mayCarrySecret)
        if (!url) return undefined
        // A web wallet would replace this page, which waits for it.
        const isApp = by === 'mobile' && at.app !== wallet.webapp_link
        return { url, target: isApp ? linkTarget({ ...around, mobile: deps.mobile() }) : '_blank' }
      } catch (error) {
        const { message } = toLatchkeyError(error)
        deps.track({ event: 'CONNECT_PROXY_ERROR', properties: { message, name: wallet.name } })
        return undefined
      }
    },
    // Log the link without its secret.
    open: (link) => openLink(link, link.url.split(/[?#]/)[0] ?? ''),
    remind({ requestId, topic }) {
      const stored = records.deepLink.get()
      if (!stored) return
      openLink(requestLink({ href: stored.href, requestId, topic }, platformContext(page)), stored.href)
    },
    connect({ namespace, chain, signal }) {
      return new Promise((resolve, reject) => {
        const waiter: Waiter = { namespace, chain, resolve, reject }
        const abort = (): void => {
          if (!waiters.delete(waiter)) return
          reject(isLatchkeyError(signal?.reason) ? signal.reason : new LatchkeyError('request/aborted'))
          if (waiters.size === 0 && lookers === 0) reset()
        }
        if (signal?.aborted) return reject(new LatchkeyError('request/aborted'))
        signal?.addEventListener('abort', abort, { once: true })
        waiters.add(waiter)
        if (!newest || (store.get().status === 'offered' && !isGood())) begin()
      })
    },
    stop() {
      unfollow()
      fail(new LatchkeyError('request/aborted'))
    },
  }
}
