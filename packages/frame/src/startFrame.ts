import { browserName, popupChannel } from '@latchkey/protocol/http/keys'
import { loadOnce } from '@latchkey/protocol/loadOnce'
import { type AccountSession, createAccountSession } from './accountSession.ts'
import { announceReady } from './announceReady.ts'
import { createApprovalQueue } from './approvals/approvalQueue.ts'
import type { ApprovalView } from './approvals/approvalViewModel.ts'
import { hasCookieAccess } from './crossSite/hasCookieAccess.ts'
import { createFrameConfig, custodyOf } from './frameConfig.ts'
import type { CrossSiteFrame, FrameContext } from './frameContext.ts'
import { createKeysApiClient } from './keysApiClient.ts'
import { loadApprovalScreens } from './loadApprovalScreens.ts'
import { createMessageBridge, type MessageBridge } from './messageBridge.ts'
import { createChainRpcClient } from './networks/chainRpcClient.ts'
import { createPageRequestHandler } from './pageRequestHandler.ts'
import { createPageSettings } from './pageSettings.ts'
import { createServerClock } from './serverClock.ts'
import { createSignInPopups } from './signInPopups.ts'
import { createSingleflight } from './singleflight.ts'
import { createDeviceStore } from './wallet/deviceStore.ts'
import { supportsPasskeys } from './wallet/supportsPasskeys.ts'
import { createWalletLoader } from './wallet/walletLoader.ts'

/** Starts the frame in `window` and opens the message bridge. Screens and signing code are loaded on demand. */
export function startFrame(window: Window & typeof globalThis): MessageBridge {
  const fetch: typeof globalThis.fetch = (input, init) => window.fetch(input, init)
  const keysClient = createKeysApiClient({ fetch })
  const store = createDeviceStore({ indexedDB: () => window.indexedDB, crypto: window.crypto })
  const approvals = createApprovalQueue<ApprovalView>()
  const shared = createSingleflight()
  const clock = createServerClock({ local: Date.now, monotonic: () => window.performance.now() })
  const settings = createPageSettings(new URL(window.location.href))
  // On a cross-site page, browsers deny or partition storage, so the keys are only used in a separate window.
  const isCrossSite = !hasCookieAccess(window)
  const config = createFrameConfig({ keysClient, isCrossSite })

  const crossSite = loadOnce(async (): Promise<CrossSiteFrame> => {
    const [{ createCrossSiteFrame }, { systemEnvironment }] = await Promise.all([
      import('./crossSite/crossSiteFrame.ts'),
      import('@latchkey/vault'),
    ])
    // Only used for a page's requests, so the page's origin is already known.
    return createCrossSiteFrame({
      window,
      keysClient,
      environment: systemEnvironment(),
      clock,
      page: bridge.embedder() ?? '',
    })
  })

  const wallet = createWalletLoader({
    keysClient,
    store,
    approvals,
    shared,
    embedder: () => bridge.embedder(),
    signedIn: (user) => context.session.signedIn(user),
    window,
    passkeys: async () => supportsPasskeys(window) && (await config.load()).passkeys,
    assisted: async () => custodyOf(await config.load()) === 'assisted',
    deviceName: browserName(window.navigator.userAgent),
  })

  const context: FrameContext = {
    keysClient,
    store,
    approvals,
    shared,
    settings,
    batches: new Map(),
    signIns: new Map(),
    popups: createSignInPopups(() => new window.BroadcastChannel(popupChannel)),
    config: config.load,
    grants: loadOnce(async () => {
      const { createGrantStore } = await import('./permissions/grantStore.ts')
      return createGrantStore({ indexedDB: () => window.indexedDB, locks: window.navigator.locks, clock })
    }),
    rpc: createChainRpcClient({ fetch }),
    async visitor() {
      const { identify: origin } = await config.load()
      if (origin === undefined) return undefined
      // The code is loaded on demand, because few operators enable visitor identification. Failures are reported to the operator
      // and do not delay the user.
      return import('./identifyVisitor.ts')
        .then(({ identifyVisitor, reportFailure }) =>
          identifyVisitor({ window, origin, failed: reportFailure(keysClient) }),
        )
        .catch(() => undefined)
    },
    wallet: isCrossSite ? () => crossSite().then((frame) => frame.wallet) : wallet.load,
    session: isCrossSite
      ? createCrossSiteSession(crossSite)
      : createAccountSession({ keysClient, clock, onSignedOut: wallet.lock }),
    crossSite: isCrossSite ? crossSite : undefined,
    // Reloads after the response has been sent.
    reload: () => window.setTimeout(() => window.location.reload(), 0),
  }

  loadApprovalScreens({
    window,
    approvals,
    settings,
    // Also true for wallets created while the frame used assisted custody, because the operator still has their shares.
    operatorCanSign: () =>
      config.custody() === 'assisted' ||
      (wallet
        .loaded()
        ?.opened()
        ?.vault.record.wrappers.some(({ kind }) => kind === 'assisted') ??
        false),
  })
  const bridge = createMessageBridge({
    window,
    now: () => window.performance.now(),
    answer: createPageRequestHandler(context),
  })
  announceReady({ window, bridge, config, isCrossSite })
  return bridge
}

/** Creates the session for a cross-site frame, whose code is loaded on first use. */
function createCrossSiteSession(crossSite: () => Promise<CrossSiteFrame>): AccountSession {
  return {
    me: async () => (await crossSite()).session.me(),
    signOut: async () => (await crossSite()).session.signOut(),
    userName: () => undefined,
    resultUri: () => undefined,
    signedIn() {},
  }
}
