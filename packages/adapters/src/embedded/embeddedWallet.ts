import type {
  Adapter,
  Connector,
  ConnectorContext,
  EmbeddedWalletClient,
  Network,
  Session,
  SignInOnLogin,
} from '@latchkey/core/adapter'
import { type ChainId, isSolanaAddress, type Namespace, namespaceOf, toEvmAddress } from '@latchkey/protocol/caip'
import { frameLoadTimeoutMs, frameSdkVersion } from '@latchkey/protocol/constants'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { type Channel, createChannel } from '@latchkey/protocol/frame/channel'
import {
  chainFromWire,
  type FrameUser,
  frameTexts,
  type MethodParams,
  type MethodResult,
  type SocialUser,
  type WireAccountType,
  walletPath,
} from '@latchkey/protocol/frame/messages'
import type { EmbeddedOptions } from './embeddedConnector.ts'
import { openEvm } from './evmSession.ts'
import type { FrameHost } from './frameHost.ts'
import { mountFrame } from './mountFrame.ts'
import type { EmbeddedAccount, FamilySessionInput, SessionContext } from './sessionContext.ts'
import { keepSigned, siwxOf } from './signIn.ts'
import { openSolana } from './solanaSession.ts'
import { confirmMs, createRequests, type Requests } from './walletRequests.ts'

/** Parameters for connecting one chain family. */
export interface Connecting {
  readonly connector: Connector
  readonly adapter: Adapter
  readonly chain?: ChainId
  readonly silent?: boolean
  readonly signal: AbortSignal
}

/** The embedded wallet of an instance. All families share one frame. */
export interface EmbeddedWallet {
  readonly wallet: EmbeddedWalletClient
  connect(params: Connecting): Promise<Session>
  close(): void
}

/** Timeout for READY before the user and the developer are notified. A later READY is still accepted. */
const noticeMs = 5_000
/** Timeout for READY after the frame has loaded. Our frames send READY while loading. */
const loadedMs = 4_000
/** Our protocol versions are integers. Other version formats of plain frames are not compared. */
const isVersion = /^\d+$/
/** Timeout for notifications to the frame. The protocol does not define one. */
const syncMs = 5_000
/** If GET_USER takes longer than this, our frame probably needs user input first: recovery, or approval on another device. */
const askingMs = 2_000
/** The same timeout with a sign-in, for which the frame prompts as soon as the wallet is open. */
const signInMs = 600
/** The interval of polling for the end of a popup login, and the delay after the page regains focus. */
const popupMs = 15_000
const backMs = 1_500

/** Creates the wallet. The frame is mounted on first use. */
export function createEmbeddedWallet({
  options,
  host,
}: {
  options: EmbeddedOptions
  host: ConnectorContext
}): EmbeddedWallet {
  const { clock, log, records } = host
  const { origin } = new URL(options.url)
  const holders = new Map<Namespace, EmbeddedAccount>()
  const holderListeners = new Map<Namespace, Set<(now: EmbeddedAccount | undefined) => void>>()
  const stored = new Map<Adapter, FamilySessionInput['kept']>()
  let frame:
    | {
        readonly place: FrameHost
        readonly channel: Channel
        readonly requests: Requests
        /** Starts the timeout for READY. */
        expectReady(): void
      }
    | undefined
  let initialising: Promise<void> | undefined
  let leaving: Promise<void> | undefined
  /** The result of a social login, used by the next connect. */
  let arrived:
    | { readonly user: SocialUser; readonly chain: ChainId; readonly signIn: SignInOnLogin | undefined }
    | undefined
  let closed = false
  /**
   * State of loading the frame: whether a document has loaded, when loading started, whether its version is incompatible,
   * whether it failed, and whether that was logged.
   */
  let hasLoaded = false
  let loadedSince = 0
  let isForeign = false
  let isAway = false
  let isSaid = false
  let cancelNotice = () => {}
  /** Callbacks that are notified if the frame takes too long. */
  const waitingForFrame = new Set<() => void>()
  /** Cancels the pending requests that the frame is displayed for. */
  const dismissals = new Set<() => void>()
  /** The protection of the account's keys, as last reported by the frame. */
  let protection: FrameUser['protection']

  const up = () => {
    if (closed) throw failure('frame/no-iframe')
    frame ??= standUp()
    return frame
  }

  function standUp() {
    const network = host.network()
    const url = frameUrl({ options, network, projectId: options.projectId ?? host.dapp().projectId })
    const place = (options.place ?? mountFrame)({
      url,
      title: options.title ?? 'Wallet',
      closeLabel: options.closeLabel ?? 'Cancel the request',
      failed: (policy) => notStarted({ policy }, policy === undefined ? failure('frame/load-failed') : undefined),
      loaded() {
        hasLoaded = true
        cancelNotice()
        cancelNotice = clock.after(loadedMs, () => notStarted({}))
      },
    })
    const channel = createChannel({
      pipe: place.pipe,
      clock,
      report: host.report,
      ...(options.loadTimeoutMs !== undefined && { loadTimeoutMs: options.loadTimeoutMs }),
      ...(options.requestTimeoutMs !== undefined && { requestTimeoutMs: options.requestTimeoutMs }),
    })
    const requests = createRequests({
      channel,
      clock,
      show: approval,
      rpcUrl: (chain) => rpcUrlOf(find(chain)),
      paymaster: options.paymaster,
      refused: (error) => host.report('rpc_not_allowed', error),
    })
    channel.onReady(({ version, socials }) => {
      cancelNotice()
      isForeign = version !== undefined && isVersion.test(version) && version !== frameSdkVersion
      if (isForeign) notStarted({ version })
      else if (socials) host.socials(socials)
    })
    loadedSince = clock.now()
    expectReady()
    return { place, channel, requests, expectReady }

    /** The loaded document is not a usable frame: pending requests are rejected now. */
    function notStarted(
      symptom: { readonly policy?: string | undefined; readonly version?: string | undefined },
      error: LatchkeyError = failure('frame/unreachable', { afterMs: noticeMs }),
    ): void {
      cancelNotice()
      if (closed || (channel.readyPayload && !isForeign)) return
      isAway = true
      channel.fail(error)
      if (!isSaid) host.report('iframe_load_failed', error)
      say(symptom)
    }

    /**
     * The frame is late but may still load. Pending requests are not rejected yet (the channel does that), but the user and the
     * developer are notified.
     */
    function late(): void {
      if (closed || channel.readyPayload) return
      say({})
      for (const tell of [...waitingForFrame]) tell()
    }

    /** Logs the reason that the frame is missing, for the page's developer. Only once. */
    function say(symptom: { readonly policy?: string | undefined; readonly version?: string | undefined }): void {
      if (isSaid) return
      isSaid = true
      const page = globalThis.location?.origin ?? ''
      import('./diagnoseFrame.ts')
        .then(({ diagnose }) => diagnose({ url, page, hasLoaded, ...symptom, fetch: host.fetch }))
        .then(
          ({ sentence, isUnverified }) => {
            log.error(sentence)
            if (isUnverified)
              host.report('unverified_domain', new LatchkeyError('app/unverified-domain', { origin: page }))
          },
          () => log.error(`No key frame responded at ${origin}.`),
        )
    }

    function expectReady(): void {
      cancelNotice()
      cancelNotice = clock.after(noticeMs, late)
    }
  }

  /** Reloads the frame if the wrong document was loaded or loading has timed out. Otherwise keeps waiting for it. */
  function tryAgain(): void {
    const { place, channel, expectReady } = up()
    if (channel.readyPayload && !isForeign) return
    if (!(isAway && hasLoaded) && clock.now() - loadedSince < frameLoadTimeoutMs) return
    isAway = false
    hasLoaded = false
    loadedSince = clock.now()
    place.reload()
    expectReady()
  }

  /** Throws if the frame has an incompatible version. Called before a request and before its response is used. */
  const mustBeOurs = (): void => {
    if (isForeign) throw failure('frame/unreachable', { afterMs: noticeMs })
  }

  /** Displays the frame for an approval. An open modal is notified, so that force-closing it dismisses the approval. */
  const approval = (dismissed: () => void): (() => void) => {
    const hide = show(dismissed)
    const over = host.approving(crypto.randomUUID(), dismissAll)
    return () => {
      over()
      hide()
    }
  }

  /** Displays the frame until all callers are done with it. Closing it cancels for all of them. Returns a function that releases it. */
  function show(dismissed: () => void): () => void {
    const { place } = up()
    const dismiss = () => dismissed()
    dismissals.add(dismiss)
    place.show(dismissAll)
    return () => {
      if (dismissals.delete(dismiss) && dismissals.size === 0) place.hide()
    }
  }

  function dismissAll(): void {
    for (const dismiss of [...dismissals]) dismiss()
  }

  /** Sends a request that the user answers in the frame, which is displayed until then. */
  async function askShown<Name extends 'CONNECT_PASSKEY' | 'CONNECT_WINDOW'>(
    name: Name,
    payload: MethodParams<Name>,
    signal: AbortSignal | undefined,
  ): Promise<MethodResult<Name>> {
    const { channel } = up()
    const controller = new AbortController()
    const stop = () => controller.abort()
    const takeBack = () => {
      channel.notify('RPC_ABORT', undefined)
      stop()
    }
    signal?.addEventListener('abort', takeBack, { once: true })
    if (signal?.aborted) stop()
    const hide = show(takeBack)
    try {
      return await channel.ask(name, payload, { signal: controller.signal }).catch((error: unknown) => {
        // Rejecting the request is not a failure.
        if (toLatchkeyError(error).message.includes(frameTexts.rejected))
          throw new LatchkeyError('user/rejected', { request: name })
        throw error
      })
    } finally {
      hide()
      signal?.removeEventListener('abort', takeBack)
    }
  }

  const can = (what: string): boolean => frame?.channel.readyPayload?.capabilities?.includes(what) ?? false

  const find = (chain: ChainId): Network | undefined => {
    for (const adapter of stored.keys()) {
      const found = adapter.networks.find(({ caipNetworkId }) => caipNetworkId === chain)
      if (found) return found
    }
    const now = host.network(namespaceOf(chain))
    return now?.caipNetworkId === chain ? now : undefined
  }

  /** Limits the wait for an optional step, so that an unresponsive frame does not block the login. */
  const soon = async (what: string, action: Promise<unknown>): Promise<void> => {
    await new Promise<void>((resolve) => {
      const cancel = clock.after(syncMs, () => {
        log.warn(`The frame did not respond to ${what}`)
        resolve()
      })
      action
        .catch((error: unknown) => log.warn(`The frame rejected ${what}`, error))
        .finally(() => {
          cancel()
          resolve()
        })
    })
  }

  const initialised = (signal?: AbortSignal, late?: () => void): Promise<void> => {
    const { channel } = up()
    tryAgain()
    if (late) waitingForFrame.add(late)
    initialising ??= (async () => {
      mustBeOurs()
      await channel.settled()
      mustBeOurs()
      await soon('SYNC_DAPP_DATA', channel.ask('SYNC_DAPP_DATA', dappData()))
      channel.notify('SYNC_THEME', host.theme())
      const networks = channel.ask('GET_SMART_ACCOUNT_ENABLED_NETWORKS', undefined)
      // On any failure, the stored list is empty and the login continues (R4.19).
      records.smartAccountNetworks.set([])
      await soon(
        'GET_SMART_ACCOUNT_ENABLED_NETWORKS',
        networks.then(({ smartAccountEnabledNetworks }) =>
          records.smartAccountNetworks.set(smartAccountEnabledNetworks.map(String)),
        ),
      )
    })()
    const now = initialising
    // Allow another attempt if the frame did not load.
    now.catch(() => {
      if (initialising === now) initialising = undefined
    })
    const done = signal ? unless(now, signal) : now
    return late ? done.finally(() => waitingForFrame.delete(late)) : done
  }

  const dappData = () => {
    const said = host.dapp()
    return options.projectId === undefined ? said : { ...said, projectId: options.projectId }
  }

  const unfollow = host.onTheme(() => {
    // Before the first login there is no frame to notify; `initialised` sends the theme.
    if (initialising) frame?.channel.notify('SYNC_THEME', host.theme())
  })

  const hold = (namespace: Namespace, next: EmbeddedAccount): void => {
    const before = holders.get(namespace)
    holders.set(namespace, next)
    if (before?.address === next.address && before.chain === next.chain && before.type === next.type) return
    for (const listener of [...(holderListeners.get(namespace) ?? [])]) listener(next)
  }

  /** Validates the account reported by the frame for this chain family. */
  const holderOf = (namespace: Namespace, user: FrameUser): EmbeddedAccount => {
    const chain = chainFromWire(user.chainId)
    const plain = isSolanaAddress(user.address) ? user.address : undefined
    const address = namespace === 'eip155' ? toEvmAddress(user.address) : plain
    if (!chain || namespaceOf(chain) !== namespace || !address) {
      throw failure('frame/failed', { message: `The frame returned no ${namespace} account.` })
    }
    const { accounts = [], preferredAccountType } = user
    const type = accounts.find(({ address }) => address === user.address)?.type ?? preferredAccountType
    return { address, chain, type }
  }

  const remember = (user: SocialUser, chain: ChainId): void => {
    records.emailUsed.set('true')
    if (user.email) records.email.set(user.email)
    if (user.userName) records.socialUsername.set(user.userName)
    records.lastChain.set(chain.startsWith('eip155:') ? chain.slice('eip155:'.length) : chain)
    records.lastEmailLoginTime.clear()
  }

  const forget = (): void => {
    records.emailUsed.clear()
    records.email.clear()
    records.lastChain.clear()
    records.socialUsername.clear()
    records.connectedSocial.clear()
  }

  /** Prepares the sign-in for a login. If that fails, the login continues without it and the user signs in later. */
  const signInFor = async (chain: ChainId, signal?: AbortSignal): Promise<SignInOnLogin | undefined> => {
    // The user signs in with an additional account when it becomes active.
    if (namespaceOf(chain) !== 'eip155' || host.network()?.chainNamespace === 'solana') return undefined
    const wanted = host.signInOnLogin(chain).catch((error: unknown) => {
      log.warn('Unable to sign in during login', error)
      return undefined
    })
    return signal ? unless(wanted, signal) : wanted
  }

  const keep = async (signIn: SignInOnLogin | undefined, user: FrameUser): Promise<void> => {
    if (signIn)
      await keepSigned(signIn, user).catch((error: unknown) =>
        log.warn('The frame did not sign a valid sign-in', error),
      )
  }

  const getUser = async (
    chain: ChainId,
    params: { signal?: AbortSignal; silent?: boolean; signIn?: SignInOnLogin | undefined } = {},
  ): Promise<EmbeddedAccount> => {
    const { channel } = up()
    const { signIn } = params
    const namespace = namespaceOf(chain)
    const rpcUrl = rpcUrlOf(find(chain))
    const controller = new AbortController()
    // Only our frames, which use a port, may need to be displayed for this.
    const mayAsk = !params.silent && channel.speaks === 'port'
    let id: string | undefined
    let hide = () => {}
    let cancelConfirm = () => {}
    const stop = () => {
      if (mayAsk && id !== undefined) channel.notify('RPC_ABORT', { id })
      controller.abort()
    }
    const putAway = () => {
      // The frame no longer needs to prompt for this.
      channel.notify('RPC_ABORT', undefined)
      hide()
      // The user is logged in even without signing in: the frame responds without a signature.
      if (signIn) cancelConfirm = clock.after(confirmMs, stop)
      else controller.abort()
    }
    params.signal?.addEventListener('abort', stop, { once: true })
    if (params.signal?.aborted) stop()
    const cancel = mayAsk ? clock.after(signIn ? signInMs : askingMs, () => (hide = show(putAway))) : () => {}
    try {
      const user = await channel.ask(
        'GET_USER',
        {
          chainId: chain,
          preferredAccountType: host.accountType(namespace),
          ...(rpcUrl !== undefined && { rpcUrl }),
          ...(signIn && { siwxMessage: siwxOf(signIn) }),
        },
        {
          signal: controller.signal,
          sent(sentId) {
            id = sentId
          },
        },
      )
      const holder = holderOf(namespace, user)
      remember(user, holder.chain)
      protection = user.protection
      hide()
      await keep(signIn, user)
      return holder
    } finally {
      cancel()
      cancelConfirm()
      hide()
      params.signal?.removeEventListener('abort', stop)
    }
  }

  /**
   * Resolves when a popup login has finished but the response is still pending. Our frame then needs user input before it opens
   * the wallet, and GET_USER is the request that displays it. Never settles otherwise.
   */
  const cameBack = async (channel: Channel, answered: Promise<unknown>): Promise<void> => {
    const isConnected = () =>
      channel.ask('IS_CONNECTED', undefined).then(
        (said) => said.isConnected,
        () => false,
      )
    let over = false
    answered.then(
      () => (over = true),
      () => (over = true),
    )
    // If a user was already logged in, IS_CONNECTED does not indicate the end of the popup login.
    if (records.emailUsed.get() && (await isConnected())) return new Promise(() => {})
    for (;;) {
      await visitorBack(clock)
      if (over || closed) return new Promise(() => {})
      if (await isConnected()) return
    }
  }

  /** Checks that the user is still logged in. Called only if a login was stored. */
  const returning = async (signal: AbortSignal): Promise<void> => {
    const { channel } = up()
    tryAgain()
    // Only `false` logs the user out. An error does not: the keys host may be unreachable (decisions 9).
    mustBeOurs()
    const { isConnected } = await channel.ask('IS_CONNECTED', undefined, { signal })
    mustBeOurs()
    if (isConnected) return
    forget()
    throw new LatchkeyError('wallet/not-authorized', { connectorId: 'ID_AUTH' })
  }

  const signOut = (): Promise<void> => {
    leaving ??= (async () => {
      forget()
      arrived = undefined
      const left = [...holders.keys()]
      holders.clear()
      for (const namespace of left)
        for (const listener of [...(holderListeners.get(namespace) ?? [])]) listener(undefined)
      // The channel stops waiting after three seconds (R9.1).
      await frame?.channel
        .ask('SIGN_OUT', undefined)
        .catch((error: unknown) => log.warn('The frame did not sign out', error))
    })().finally(() => {
      leaving = undefined
    })
    return leaving
  }

  const inside = (namespace: Namespace): SessionContext => ({
    host,
    requests: up().requests,
    holder() {
      const now = holders.get(namespace)
      if (!now) throw new LatchkeyError('wallet/not-authorized', { connectorId: 'ID_AUTH' })
      return now
    },
    onHolder(listener) {
      const all = holderListeners.get(namespace) ?? new Set()
      holderListeners.set(namespace, all.add(listener))
      return () => all.delete(listener)
    },
    async moveTo(network) {
      const chain = network.caipNetworkId
      const rpcUrl = rpcUrlOf(network)
      await up().channel.ask('SWITCH_NETWORK', { chainId: chain, ...(rpcUrl !== undefined && { rpcUrl }) })
      hold(namespace, await getUser(chain))
    },
    signOut,
  })

  const connectInWindow: NonNullable<EmbeddedWalletClient['connectInWindow']> = async (provider, { signal }) => {
    const answer = await askShown('CONNECT_WINDOW', { provider }, signal).catch((error: unknown) => {
      // The user cancels to choose another login method, as with closing a popup.
      throw isLatchkeyError(error, 'user/rejected') ? new LatchkeyError('request/aborted') : error
    })
    if (answer?.userName) records.socialUsername.set(answer.userName)
    return answer?.provider
  }

  const wallet: EmbeddedWalletClient = {
    origin,
    initialised,
    async request(name, payload, asking) {
      if (name === 'CONNECT_EMAIL' && can('window')) {
        // The table pairs each name with its payload and response; TypeScript cannot follow that through a generic.
        await askShown('CONNECT_WINDOW', payload as MethodParams<'CONNECT_EMAIL'>, asking?.signal)
        return { action: 'CONNECT' } as MethodResult<typeof name>
      }
      return up().channel.ask(name, payload, asking)
    },
    notify: (name, payload) => up().channel.notify(name, payload),
    get waitsForPopup() {
      return frame?.channel.speaks === 'port'
    },
    async connectSocial(uri, asking = {}) {
      await initialised(asking.signal)
      const network = host.network()
      const rpcUrl = rpcUrlOf(network)
      const { channel } = up()
      // Our frames receive the sign-in later, in GET_USER, once the user is known.
      const signIn =
        network && channel.speaks === 'window' ? await signInFor(network.caipNetworkId, asking.signal) : undefined
      const connecting = channel.ask(
        'CONNECT_SOCIAL',
        {
          uri,
          ...(network && {
            chainId: network.caipNetworkId,
            preferredAccountType: host.accountType(network.chainNamespace),
          }),
          ...(rpcUrl !== undefined && { rpcUrl }),
          ...(signIn && { siwxMessage: siwxOf(signIn) }),
        },
        asking,
      )
      const settled = connecting.then((user) => {
        const chain = chainFromWire(user.chainId)
        if (chain) arrived = { user, chain, signIn }
      })
      await (channel.speaks === 'port' ? Promise.race([settled, cameBack(channel, settled)]) : settled)
    },
    get connectInWindow() {
      return can('window') ? connectInWindow : undefined
    },
    async connectPasskey({ signal } = {}) {
      await initialised(signal)
      // On cross-site pages, the window requests the passkey as well.
      if (can('window')) return void (await askShown('CONNECT_WINDOW', undefined, signal))
      // Plain frames do not support passkeys and would never respond.
      if (!can('passkey')) throw failure('frame/failed', { message: 'There are no passkeys here' })
      // The user continues in the frame, where the browser requests a passkey of the keys host after a click.
      await askShown('CONNECT_PASSKEY', undefined, signal)
    },
    get walletPage() {
      return can('wallet') ? `${origin}${walletPath}` : undefined
    },
    async hasSingleKey() {
      const [holder] = holders.values()
      if (!holder || protection !== 'single') return false
      // A user who has since added a key is no longer warned.
      const { protection: now } = await up().channel.ask('GET_USER', { chainId: holder.chain })
      protection = now
      return now === 'single'
    },
    async setAccountType(namespace, type) {
      const before = holders.get(namespace)
      const chain = before?.chain ?? host.network(namespace)?.caipNetworkId
      const now = await up()
        .channel.ask('SET_PREFERRED_ACCOUNT', { type })
        .then(
          (): WireAccountType => type,
          (error: unknown): WireAccountType => {
            log.warn('The frame rejected the account type', error)
            return 'eoa'
          },
        )
      records.accountTypes.set({ ...records.accountTypes.get(), [namespace]: now })
      if (!before || !chain) return now
      const next = await getUser(chain)
      hold(namespace, next)
      return next.type === 'smartAccount' ? 'smartAccount' : 'eoa'
    },
  }

  return {
    wallet,
    async connect({ connector, adapter, chain: wanted, silent = false, signal }) {
      const { namespace } = adapter
      if (!stored.has(adapter)) stored.set(adapter, {})
      await leaving
      if (silent) await returning(signal)
      await initialised(signal)
      const chain = wanted ?? host.network(namespace)?.caipNetworkId ?? adapter.networks[0]?.caipNetworkId
      const came = arrived && namespaceOf(arrived.chain) === namespace && !silent ? arrived : undefined
      arrived = undefined
      if (came) {
        remember(came.user, came.chain)
        protection = came.user.protection
      }
      const here = came && (!chain || came.chain === chain) ? holderOf(namespace, came.user) : undefined
      if (here && came) await keep(came.signIn, came.user)
      // Without a configured network, the default is Ethereum, as in the frame protocol.
      const at = chain ?? came?.chain ?? defaultChain(namespace)
      // Plain frames that reported the user have already requested the sign-in.
      const asks = !silent && (!here || up().channel.speaks === 'port')
      const signIn = asks ? await signInFor(at, signal) : undefined
      hold(namespace, here && !signIn ? here : await getUser(at, { signal, silent, signIn }))
      const opening = { inside: inside(namespace), connector, adapter, signal, kept: stored.get(adapter) ?? {} }
      return namespace === 'eip155' ? openEvm(opening) : openSolana(opening)
    },
    close() {
      closed = true
      cancelNotice()
      unfollow()
      frame?.requests.stop()
      frame?.channel.close()
      frame?.place.remove()
      holderListeners.clear()
    },
  }
}

/** Resolves shortly after the page regains focus, as when a popup closes, or after a timeout. */
function visitorBack(clock: ConnectorContext['clock']): Promise<void> {
  return new Promise((resolve) => {
    const page = typeof window === 'undefined' ? undefined : window
    const back = () => {
      done()
      clock.after(backMs, resolve)
    }
    const cancel = clock.after(popupMs, () => {
      done()
      resolve()
    })
    const done = () => {
      cancel()
      page?.removeEventListener('focus', back)
    }
    page?.addEventListener('focus', back)
  })
}

function defaultChain(namespace: Namespace): ChainId {
  return namespace === 'solana' ? 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' : 'eip155:1'
}

/** The first default RPC URL of the network, which is a hint for the frame. */
function rpcUrlOf(network: Network | undefined): string | undefined {
  return network?.rpcUrls.default?.http[0]
}

/** Builds the URL of the frame, with the parameters in the order of the protocol. */
function frameUrl(params: { options: EmbeddedOptions; network: Network | undefined; projectId: string }): string {
  const url = new URL(params.options.url)
  if (url.pathname === '/') url.pathname = '/sdk'
  const rpcUrl = rpcUrlOf(params.network)
  url.searchParams.set('projectId', params.projectId)
  url.searchParams.set('chainId', params.network?.caipNetworkId ?? 'eip155:1')
  url.searchParams.set('version', frameSdkVersion)
  // A frame that logs messages would log one-time codes.
  url.searchParams.set('enableLogger', 'false')
  if (rpcUrl !== undefined) url.searchParams.set('rpcUrl', rpcUrl)
  // A parameter of ours, after those of the protocol: the preferred language, used if the user's browser accepts it.
  const language = params.options.locale ?? globalThis.document?.documentElement.lang
  if (language) url.searchParams.set('lang', language)
  return url.href
}

/** Resolves like `promise`, but rejects when `signal` aborts. The underlying work continues for other callers. */
function unless<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(failure('frame/aborted'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
