import type {
  Adapter,
  Connector,
  ConnectorContext,
  EmbeddedWalletClient,
  Network,
  Session,
  SignInOnLogin,
} from '@latchkey/core/adapter'
import { type ChainId, isEvmAddress, isSolanaAddress, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
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
import type { EmbeddedOptions } from './embedded.ts'
import { openEvm } from './evmSession.ts'
import type { FrameHost } from './frameHost.ts'
import { mountFrame } from './mountFrame.ts'
import type { EmbeddedAccount, FamilySessionInput, SessionContext } from './sessionContext.ts'
import { keepSigned, siwxOf } from './signIn.ts'
import { openSolana } from './solanaSession.ts'
import { confirmMs, createRequests, type Requests } from './walletRequests.ts'

/** What connecting one family takes. */
export interface Connecting {
  readonly connector: Connector
  readonly adapter: Adapter
  readonly chain?: ChainId
  readonly silent?: boolean
  readonly signal: AbortSignal
}

/** The embedded wallet of one instance, in one frame. */
export interface EmbeddedWallet {
  readonly wallet: EmbeddedWalletClient
  connect(params: Connecting): Promise<Session>
  close(): void
}

/** How long the frame may take to say READY before visitor and developer are told; one that comes later is used all the same. */
const noticeMs = 5_000
/** How long after its page has loaded: a frame of ours says READY while it loads. */
const loadedMs = 4_000
/** A version of the wire is a whole number; what plain frames call theirs is not compared. */
const isVersion = /^\d+$/
/** How long the frame may take over what it is only told; the protocol names no time. */
const syncMs = 5_000
/** A frame of ours that takes longer to say who the visitor is wants to ask them something first: recovery, another device. */
const askingMs = 2_000
/** One that was asked to sign somebody in as well will want to ask them, as soon as their wallet is open. */
const signInMs = 600
/** How often a frame of ours is asked whether its popup has come back, and how soon when the visitor is back at the page. */
const popupMs = 15_000
const backMs = 1_500

/** Opens the wallet. The frame stands up at the first thing that needs it. */
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
        /** From now on it has five seconds. */
        expectReady(): void
      }
    | undefined
  let initialising: Promise<void> | undefined
  let leaving: Promise<void> | undefined
  /** What a social login answered; the next connect starts from it. */
  let arrived:
    | { readonly user: SocialUser; readonly chain: ChainId; readonly signIn: SignInOnLogin | undefined }
    | undefined
  let closed = false
  /** Whether the browser has loaded something in the frame, and since when it tries; whether it is none of ours, or none that answers; whether that was said. */
  let hasLoaded = false
  let loadedSince = 0
  let isForeign = false
  let isAway = false
  let isSaid = false
  let cancelNotice = () => {}
  /** Who wants to hear that the frame takes long. */
  const waitingForFrame = new Set<() => void>()
  let showing = 0
  /** How well the account is kept, as the frame said last. */
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
      failed: (policy) => notStarted({ policy }),
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

    /** What stands there is no frame that can be used: whoever waits for one is told now. */
    function notStarted(symptom: {
      readonly policy?: string | undefined
      readonly version?: string | undefined
    }): void {
      cancelNotice()
      if (closed || (channel.readyPayload && !isForeign)) return
      isAway = true
      const error = failure('frame/unreachable', { afterMs: noticeMs })
      channel.fail(error)
      if (!isSaid) host.report('iframe_load_failed', error)
      say(symptom)
    }

    /** It takes long. It may still come, so nobody is refused yet (the channel does that); but everybody is told. */
    function late(): void {
      if (closed || channel.readyPayload) return
      say({})
      for (const tell of [...waitingForFrame]) tell()
    }

    /** Says to the page's developer why there is no frame; once. */
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
          () => log.error(`No key frame answered at ${origin}.`),
        )
    }

    function expectReady(): void {
      cancelNotice()
      cancelNotice = clock.after(noticeMs, late)
    }
  }

  /** What stands in the frame's place and is none is loaded anew, and so is what never came; one that is still coming is waited for. */
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

  /** What speaks another version is asked nothing, and its answers count for nothing. */
  const mustBeOurs = (): void => {
    if (isForeign) throw failure('frame/unreachable', { afterMs: noticeMs })
  }

  /** A modal that is open knows of it, and may be closed by force. */
  const approval = (dismissed: () => void): (() => void) => {
    const hide = show(dismissed)
    const over = host.approving(crypto.randomUUID(), dismissed)
    return () => {
      over()
      hide()
    }
  }

  /** In front of the visitor while anything needs that; the answer says that this one no longer does. */
  function show(dismissed: () => void): () => void {
    const { place } = up()
    showing += 1
    place.show(dismissed)
    let done = false
    return () => {
      if (done) return
      done = true
      showing -= 1
      if (showing === 0) place.hide()
    }
  }

  /** Asks what the visitor answers in the frame itself, which is in front of them until then. */
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
        // Whoever says no there has not met a failure.
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

  /** What is only told is not waited for without end: a frame that never answers blocks no login. */
  const soon = async (what: string, action: Promise<unknown>): Promise<void> => {
    await new Promise<void>((resolve) => {
      const cancel = clock.after(syncMs, () => {
        log.warn(`The frame did not answer ${what}`)
        resolve()
      })
      action
        .catch((error: unknown) => log.warn(`The frame refused ${what}`, error))
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
      // Whatever goes wrong, an empty list is stored and the login goes on (R4.19).
      records.smartAccountNetworks.set([])
      await soon(
        'GET_SMART_ACCOUNT_ENABLED_NETWORKS',
        networks.then(({ smartAccountEnabledNetworks }) =>
          records.smartAccountNetworks.set(smartAccountEnabledNetworks.map(String)),
        ),
      )
    })()
    const now = initialising
    // A frame that did not load may load the next time.
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
    // Before anybody logged in there is no frame to tell; `initialised` will.
    if (initialising) frame?.channel.notify('SYNC_THEME', host.theme())
  })

  const hold = (namespace: Namespace, next: EmbeddedAccount): void => {
    const before = holders.get(namespace)
    holders.set(namespace, next)
    if (before?.address === next.address && before.chain === next.chain && before.type === next.type) return
    for (const listener of [...(holderListeners.get(namespace) ?? [])]) listener(next)
  }

  /** What the frame says of the visitor, believed only when it makes sense for this family. */
  const holderOf = (namespace: Namespace, user: FrameUser): EmbeddedAccount => {
    const chain = chainFromWire(user.chainId)
    const fits = namespace === 'eip155' ? isEvmAddress(user.address) : isSolanaAddress(user.address)
    if (!chain || namespaceOf(chain) !== namespace || !fits) {
      throw failure('frame/failed', { message: `The frame named no ${namespace} account.` })
    }
    const { accounts = [], preferredAccountType } = user
    const type = accounts.find(({ address }) => address === user.address)?.type ?? preferredAccountType
    return { address: user.address, chain, type }
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
  }

  /** What whoever logs in is asked to sign. Without it they are signed in later, or not at all; nobody is kept out. */
  const signInFor = async (chain: ChainId, signal?: AbortSignal): Promise<SignInOnLogin | undefined> => {
    // An account beside the one that the page is about is asked for when it comes to the front.
    if (namespaceOf(chain) !== 'eip155' || host.network()?.chainNamespace === 'solana') return undefined
    const wanted = host.signInOnLogin(chain).catch((error: unknown) => {
      log.warn('Nobody is asked to sign in as they log in', error)
      return undefined
    })
    return signal ? unless(wanted, signal) : wanted
  }

  const keep = async (signIn: SignInOnLogin | undefined, user: FrameUser): Promise<void> => {
    if (signIn)
      await keepSigned(signIn, user).catch((error: unknown) => log.warn('What the frame signed is no sign-in', error))
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
    // A plain frame never wants to be seen for this; ours says so by offering a port.
    const mayAsk = !params.silent && channel.speaks === 'port'
    let id: string | undefined
    let hide = () => {}
    let cancelConfirm = () => {}
    const stop = () => {
      if (mayAsk && id !== undefined) channel.notify('RPC_ABORT', { id })
      controller.abort()
    }
    const putAway = () => {
      // Whatever the frame wanted to ask for this, it need not ask it any more.
      channel.notify('RPC_ABORT', undefined)
      hide()
      // Whoever does not want to sign in is logged in all the same: the frame answers without it.
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
   * Resolves once a frame of ours has signed somebody in, though its answer is still out: then it wants to ask them something before it
   * opens their wallet, and GET_USER is the question for which it is shown. Never settles otherwise.
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
    // Whoever was signed in before says nothing about the popup.
    if (records.emailUsed.get() && (await isConnected())) return new Promise(() => {})
    for (;;) {
      await visitorBack(clock)
      if (over || closed) return new Promise(() => {})
      if (await isConnected()) return
    }
  }

  /** Who comes back: asked only where a login was left open. */
  const returning = async (signal: AbortSignal): Promise<void> => {
    const { channel } = up()
    tryAgain()
    // "No" is an answer. An error is none: whoever could have said it may be away (decisions 9).
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
      records.connectedSocial.clear()
      arrived = undefined
      const left = [...holders.keys()]
      holders.clear()
      for (const namespace of left)
        for (const listener of [...(holderListeners.get(namespace) ?? [])]) listener(undefined)
      // The channel lets go after three seconds whatever the frame does (R9.1).
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
      // Whoever cancels there wants to choose again, as one who closes a popup does.
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
        // The table pairs each name with its payload and answer; TypeScript cannot follow that through a generic.
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
      // A frame of ours is asked once it is known who came back, by the question for which it is shown.
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
      // On a page of another site the window asks for a passkey, too.
      if (can('window')) return void (await askShown('CONNECT_WINDOW', undefined, signal))
      // Asked of nobody who does not know it: a plain frame would never answer.
      if (!can('passkey')) throw failure('frame/failed', { message: 'There are no passkeys here' })
      // The person chooses in the frame: there the browser asks for a passkey of the keys host, after a press of theirs.
      await askShown('CONNECT_PASSKEY', undefined, signal)
    },
    get walletPage() {
      return can('wallet') ? `${origin}${walletPath}` : undefined
    },
    async hasSingleKey() {
      const [holder] = holders.values()
      if (!holder || protection !== 'single') return false
      // Whoever has added a key since is not warned any more.
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
            log.warn('The frame refused the account type', error)
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
      // A host that names no network takes Ethereum, as the wire's own default does.
      const at = chain ?? came?.chain ?? defaultChain(namespace)
      // A plain frame that said who is there has been asked already.
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

/** Resolves shortly after the page has the visitor's eye again, as when a popup closes, and after a while in any case. */
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

/** The network's own first address for RPC; the frame takes it as a hint. */
function rpcUrlOf(network: Network | undefined): string | undefined {
  return network?.rpcUrls.default?.http[0]
}

/** The frame's address, its parameters in the order that frames have always had them. */
function frameUrl(params: { options: EmbeddedOptions; network: Network | undefined; projectId: string }): string {
  const url = new URL(params.options.url)
  if (url.pathname === '/') url.pathname = '/sdk'
  const rpcUrl = rpcUrlOf(params.network)
  url.searchParams.set('projectId', params.projectId)
  url.searchParams.set('chainId', params.network?.caipNetworkId ?? 'eip155:1')
  url.searchParams.set('version', frameSdkVersion)
  // A frame that logs its messages logs codes.
  url.searchParams.set('enableLogger', 'false')
  if (rpcUrl !== undefined) url.searchParams.set('rpcUrl', rpcUrl)
  // Ours, behind those of the wire: the frame speaks it where the visitor's browser asks for it, too.
  const language = params.options.locale ?? globalThis.document?.documentElement.lang
  if (language) url.searchParams.set('lang', language)
  return url.href
}

/** `promise`, or a rejection as soon as `signal` aborts; what is under way for others goes on. */
function unless<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(failure('frame/aborted'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
