import type { MethodName, ReadRequest } from '@latchkey/protocol/frame/messages'
import { browserName, getVaultConfig, popupChannel, type VaultConfig } from '@latchkey/protocol/http/vault'
import { originAllowed } from '@latchkey/protocol/origins'
import { type AccountSession, createAccountSession } from './accountSession.ts'
import { createApprovalQueue } from './approvalQueue.ts'
import type { ApprovalView } from './approvalViewModel.ts'
import { createChainRpcClient } from './chainRpcClient.ts'
import { hasCookieAccess } from './crossSite/hasCookieAccess.ts'
import { createDeviceStore } from './deviceStore.ts'
import type { EmbeddedWallet } from './embeddedWallet.ts'
import type { CrossSiteFrame, FrameContext, Method } from './frameContext.ts'
import { type Caller, createMessageBridge, type MessageBridge } from './messageBridge.ts'
import { methods } from './methods/index.ts'
import { createPageSettings } from './pageSettings.ts'
import type { GrantStore } from './permissions/grantStore.ts'
import { PublicError } from './publicError.ts'
import { createServerClock } from './serverClock.ts'
import { createSignInPopups } from './signInPopups.ts'
import { createSingleflight } from './singleflight.ts'
import { supportsPasskeys } from './supportsPasskeys.ts'
import { createVaultClient } from './vaultClient.ts'

/** Maximum time that READY waits for the server's configuration. */
const readyTimeoutMs = 2_000
/** The version of the wire protocol. */
const wireVersion = '4'

/** Starts the frame in `window` and opens the message bridge. Screens and signing code are loaded on demand. */
export function startFrame(window: Window & typeof globalThis): MessageBridge {
  const fetch: typeof globalThis.fetch = (input, init) => window.fetch(input, init)
  const vault = createVaultClient({ fetch })
  const store = createDeviceStore({ indexedDB: () => window.indexedDB, crypto: window.crypto })
  const approvals = createApprovalQueue<ApprovalView>()
  const shared = createSingleflight()
  const clock = createServerClock({ local: Date.now, monotonic: () => window.performance.now() })
  const settings = createPageSettings(new URL(window.location.href))
  let walletLoading: Promise<EmbeddedWallet> | undefined
  let loadedWallet: EmbeddedWallet | undefined
  let custody: VaultConfig['custody'] = 'self'
  let grantsLoading: Promise<GrantStore> | undefined
  let screensLoading: Promise<unknown> | undefined
  let crossSiteLoading: Promise<CrossSiteFrame> | undefined
  // On a cross-site page, browsers deny or partition storage, so the keys are in a separate window.
  const isCrossSite = !hasCookieAccess(window)

  const crossSite = (): Promise<CrossSiteFrame> => {
    crossSiteLoading ??= Promise.all([import('./crossSite/crossSiteFrame.ts'), import('./keys/index.ts')]).then(
      ([{ createCrossSiteFrame }, { systemEnvironment }]) =>
        // Only used for requests of a page, whose origin is known by then.
        createCrossSiteFrame({ window, vault, environment: systemEnvironment(), clock, page: door.embedder() ?? '' }),
    )
    crossSiteLoading.catch(() => {
      crossSiteLoading = undefined
    })
    return crossSiteLoading
  }

  const wallet = (): Promise<EmbeddedWallet> => {
    if (isCrossSite) return crossSite().then((found) => found.wallet)
    walletLoading ??= Promise.all([import('./embeddedWallet.ts'), import('./keys/index.ts')]).then(
      ([{ createEmbeddedWallet }, { systemEnvironment }]) =>
        createEmbeddedWallet({
          vault,
          store,
          approvals,
          environment: systemEnvironment(),
          shared,
          embedder: () => door.embedder(),
          signedIn: (user) => context.session.signedIn(user),
          window,
          passkeys: async () => supportsPasskeys(window) && (await config()).passkeys,
          assisted: async () => custodyOf(await config()) === 'assisted',
          deviceName: browserName(window.navigator.userAgent),
        }),
    )
    walletLoading.then(
      (made) => {
        loadedWallet = made
      },
      () => undefined,
    )
    // Allow a retry if a chunk failed to load.
    walletLoading.catch(() => {
      walletLoading = undefined
    })
    return walletLoading
  }

  const grants = (): Promise<GrantStore> => {
    grantsLoading ??= import('./permissions/grantStore.ts').then(({ createGrantStore }) =>
      createGrantStore({ indexedDB: () => window.indexedDB, locks: window.navigator.locks, clock }),
    )
    grantsLoading.catch(() => {
      grantsLoading = undefined
    })
    return grantsLoading
  }

  /** Also `true` for wallets created while the frame had assisted custody: the operator still has their shares. */
  const operatorCanSign = (): boolean =>
    custody === 'assisted' ||
    (loadedWallet?.opened()?.vault.record.wrappers.some(({ kind }) => kind === 'assisted') ?? false)

  const context: FrameContext = {
    vault,
    store,
    approvals,
    shared,
    settings,
    batches: new Map(),
    signIns: new Map(),
    popups: createSignInPopups(() => new window.BroadcastChannel(popupChannel)),
    config: () => config(),
    grants,
    rpc: createChainRpcClient({ fetch }),
    visitor: async () => {
      const { identify } = await config()
      return identify === undefined ? undefined : identified(identify)
    },
    wallet,
    session: isCrossSite
      ? createCrossSiteSession(crossSite)
      : createAccountSession({ vault, clock, onSignedOut: () => void walletLoading?.then((found) => found.lock()) }),
    crossSite: isCrossSite ? crossSite : undefined,
    // After the response has been sent.
    reload: () => window.setTimeout(() => window.location.reload(), 0),
  }

  // If this fails, the screens are in English.
  const loadLanguage = (): Promise<unknown> =>
    import('./screens/locale.ts')
      .then(({ setLanguage }) =>
        setLanguage(window.document, {
          page: new URL(window.location.href).searchParams.get('lang'),
          visitor: window.navigator.languages,
        }),
      )
      .catch(() => undefined)

  approvals.subscribe(() => {
    if (!approvals.current() || screensLoading) return
    screensLoading = Promise.all([import('./screens/mountScreens.tsx'), loadLanguage()]).then(([{ mountScreens }]) =>
      mountScreens(window, { approvals, settings, operatorCanSign, approvalWindows: window }),
    )
    screensLoading.catch(() => {
      // No screens can be shown, so no request can be approved.
      screensLoading = undefined
      approvals.abort()
    })
  })

  // A separate chunk, as few operators enable it. Its failures are reported to the operator and do not delay the user.
  const identified = (origin: string): Promise<string | undefined> =>
    import('./askIdentityOrigin.ts')
      .then(({ identifyVisitor, reportFailure }) => identifyVisitor({ window, origin, failed: reportFailure(vault) }))
      .catch(() => undefined)

  let configLoading: Promise<VaultConfig> | undefined
  const config = (): Promise<VaultConfig> => {
    configLoading ??= vault(getVaultConfig).then((response) => {
      custody = custodyOf(response)
      // Permissions without approval are off here, since using one would require a window.
      return isCrossSite ? { ...response, smartSessions: false } : response
    })
    configLoading.catch(() => {
      configLoading = undefined
    })
    return configLoading
  }

  // Do not create a database in a cross-site frame: its presence would suggest that keys are stored there.
  const recall = async (page: string): Promise<string | undefined> =>
    isCrossSite ? (await crossSite()).choices.get() : store.recall(page)
  const remember = async (page: string, choices: string): Promise<void> =>
    isCrossSite ? (await crossSite()).choices.set(choices) : store.remember(page, choices)
  let settingsRestored: Promise<unknown> | undefined
  const door = createMessageBridge({
    window,
    now: () => window.performance.now(),
    async answer(question, caller) {
      const { origins } = await config()
      // `*` in `frame-ancestors` matches more than the operator's pattern. An empty list allows only pages of this machine.
      if (!originAllowed(caller.origin, origins.length > 0 ? origins : ['none.invalid']))
        throw new PublicError('This page is not allowed to use the wallet')
      if (isCrossSite && sameSiteOnlyMethods.test(question.name))
        throw new PublicError((await import('./crossSite/crossSiteFrame.ts')).loginInWindowMessage)
      const page = `page:${caller.origin}`
      settingsRestored ??= recall(page).then((choices) => choices !== undefined && settings.restore(choices))
      await settingsRestored
      const before = settings.serialize()
      try {
        return await callMethod(context, question, caller)
      } finally {
        const choices = settings.serialize()
        if (choices !== before) void remember(page, choices)
      }
    },
  })
  // On a cross-site page, CONNECT_WINDOW is the only login.
  const ready = { version: wireVersion, capabilities: ['port', ...(isCrossSite ? ['window'] : [])] }
  // A hanging server must not block the page: each request then fails on its own.
  const hangs = new Promise<never>((_, reject) => window.setTimeout(reject, readyTimeoutMs))
  Promise.race([config(), hangs]).then(
    ({ passkeys, ...response }) =>
      door.sayReady({
        ...ready,
        custody: custodyOf(response),
        socials: [...response.social, ...(response.farcaster ? ['farcaster'] : [])],
        capabilities: [
          ...ready.capabilities,
          'wallet',
          ...(!isCrossSite && passkeys && supportsPasskeys(window) ? ['passkey'] : []),
        ],
      }),
    // Each request reports the server's error itself.
    () => door.sayReady(ready),
  )
  return door
}

/** Logins and email changes, which a cross-site frame refuses before any email is sent. */
const sameSiteOnlyMethods =
  /^(CONNECT_(EMAIL|OTP|DEVICE|PASSKEY|SOCIAL|FARCASTER)|GET_(SOCIAL_REDIRECT|FARCASTER)_URI|UPDATE_EMAIL.*)$/

/** The session of a cross-site frame, loaded on first use. */
function createCrossSiteSession(crossSite: () => Promise<CrossSiteFrame>): AccountSession {
  return {
    me: async () => (await crossSite()).session.me(),
    signOut: async () => (await crossSite()).session.signOut(),
    userName: () => undefined,
    resultUri: () => undefined,
    signedIn() {},
  }
}

/** Custody is assisted only if both server and frame are built for it: neither alone can add a key for the operator. */
function custodyOf({ custody }: Pick<VaultConfig, 'custody'>): VaultConfig['custody'] {
  return import.meta.env.CUSTODY === 'assisted' ? custody : 'self'
}

function callMethod(context: FrameContext, { name, id, payload }: ReadRequest, caller: Caller): Promise<unknown> {
  // The table pairs each name with its payload type, which TypeScript cannot infer through a union.
  const method = methods[name] as Method<MethodName>
  return method(context, payload as never, { ...caller, id })
}
