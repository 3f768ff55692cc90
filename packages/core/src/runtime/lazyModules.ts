import type { AccountId } from '@latchkey/protocol/caip'
import { authNamespaces } from '@latchkey/protocol/specificationConstants'
import type { ConnectorContext, MultichainConnector, Session } from '../adapter.ts'
import type { Latchkey } from '../latchkeyTypes.ts'
import { lazyValue } from '../lib/lazyValue.ts'
import { logLoadFailure } from '../lib/logLoadFailure.ts'
import type { Retries } from '../lib/retries.ts'
import { slice } from '../lib/store.ts'
import { embeddedAccountType } from '../login/embeddedAccountType.ts'
import type { StorageSchema } from '../storage/storageSchema.ts'
import type { RecentWallets } from '../wallets/recentWallets.ts'
import { type AccountLoaders, createAccountLoaders } from './accountLoaders.ts'
import type { ConnectionActions } from './connectionActions.ts'
import type { PageEnvironment } from './pageEnvironment.ts'
import { createSignInLoader } from './signInLoader.ts'
import type { RuntimeDependencies, StartupModules } from './startupModules.ts'

/**
 * The modules that are loaded on first use. The loaders from `Latchkey` resolve to `undefined` if their module is unavailable or
 * the instance has stopped.
 */
export interface LazyModules extends AccountLoaders, Pick<Latchkey, 'login' | 'pairing' | 'signIn'> {
  /** Completes a login after the provider has redirected the user back to the page. */
  resumeLogin(): void
  /** Reopens the connected remote wallet's app when a request is pending there. */
  readonly reopenWallet: ConnectorContext['waiting']
  readonly signInOnLogin: ConnectorContext['signInOnLogin']
  /** Loads sign-in, and retries until loading succeeds. */
  startSignIn(): void
  stop(): void
}

/** Creates the loaders for the modules. Nothing is loaded yet. */
export function createLazyModules({
  options,
  store,
  log,
  events,
  clock,
  account,
  environment,
  core,
  records,
  retries,
  recentWallets,
  actions,
  session,
  directory,
  disconnecting,
}: RuntimeDependencies & {
  readonly environment: PageEnvironment
  readonly core: StartupModules
  readonly records: StorageSchema
  readonly retries: Retries
  readonly recentWallets: RecentWallets
  readonly actions: ConnectionActions & Pick<Latchkey, 'switchNetwork'>
  readonly session: Latchkey['session']
  readonly directory: Latchkey['directory']
  /** The accounts that the user has disconnected. Sign-in signs them out once it is loaded. */
  readonly disconnecting: Set<AccountId>
}): LazyModules {
  const { fetch, server, mobile, namespaces, loginConnector, pairingConnector, signsIn } = environment
  const { notifications, networks, modal, registry } = core
  const { track } = core.analytics
  const { toast, hideToast } = notifications
  let stopped = false

  const accountLoaders = createAccountLoaders({
    options,
    store,
    log,
    clock,
    account,
    environment,
    core,
    records,
    session,
    directory,
  })
  const login = lazyValue(async () =>
    (await import('../modal/modalLogin.ts')).createModalLogin({
      wallet: loginConnector?.wallet as Required<MultichainConnector>['wallet'], // Only used with a login connector.
      records,
      clock,
      log,
      state: store,
      modal,
      track,
      toast,
      connect: (params) => actions.connectNamespace(loginConnector?.id, params),
      namespaces: () => authNamespaces.filter((namespace) => registry.has(namespace, loginConnector?.id)),
    }),
  )
  const pairing = lazyValue(async () =>
    (await import('../pairing/createPairing.ts')).createPairing({
      pairing: pairingConnector?.pairing as Required<MultichainConnector>['pairing'], // Only used with a pairing connector.
      records,
      clock,
      log,
      state: store,
      manual: options.manualWalletConnect === true,
      universalLinks: options.universalLinks !== false,
      signIn:
        signsIn && namespaces.every((namespace) => namespace === 'eip155') ? await authentication.get() : undefined,
      mobile,
      connect: (params): Promise<Session> => actions.connectNamespace(pairingConnector?.id, params),
      used: recentWallets.addWallet,
      track,
      toast,
      hideToast,
    }),
  )
  const authentication = lazyValue(
    async () =>
      options.authentication ??
      (await import('../signIn/authentication/lazyServerAuthentication.ts')).serverSignIn({
        url: '',
        projectId: '',
        ...server,
        clock,
        fetch,
      }),
  )
  const signIn = createSignInLoader({
    account,
    state: slice(store, 'signIn'),
    retries,
    log,
    toast,
    load: async (before) =>
      (await import('../modal/modalSignIn.ts')).createModalSignIn({
        authentication: await authentication.get(),
        before,
        disconnecting,
        latchkey: { state: store, account, options, supports: networks.supports },
        actions: { session, disconnect: actions.disconnect, switchNetwork: actions.switchNetwork, track, toast },
        modal,
        accountType: (namespace) => embeddedAccountType(namespace, { options, records }),
        own: slice(store, 'signIn'),
        events,
        clock,
        retries,
        log,
      }),
  })

  return {
    ...accountLoaders,
    login: async () => (loginConnector && !stopped ? login.get() : undefined),
    pairing: async () => (pairingConnector && !stopped ? pairing.get() : undefined),
    signIn: async () => (signsIn && !stopped ? signIn.get() : undefined),
    resumeLogin() {
      login.get().then((loaded) => loaded.resumeRedirect(), logLoadFailure(log, 'login'))
    },
    reopenWallet(request) {
      if (records.deepLink.get()) pairing.get().then((loaded) => loaded.remind(request), logLoadFailure(log, 'pairing'))
    },
    signInOnLogin: async (chain) => (signsIn ? (await signIn.get()).onLogin(chain) : undefined),
    startSignIn: signIn.start,
    stop() {
      stopped = true
      for (const lazy of [login, pairing, signIn, accountLoaders]) lazy.stop()
    },
  }
}
