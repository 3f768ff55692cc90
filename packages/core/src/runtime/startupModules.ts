import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import type { Connections } from '../connections/connections.ts'
import type { AccountView, HostEvents, State } from '../latchkeyTypes.ts'
import type { Events } from '../lib/createEvents.ts'
import type { Log } from '../lib/log.ts'
import { type Store, slice } from '../lib/store.ts'
import { createModal, type Modal } from '../modal/modal.ts'
import type { RouterContext } from '../modal/router.ts'
import { createNetworks, type Networks } from '../networks/networks.ts'
import type { LatchkeyOptions } from '../options.ts'
import { isSignInRequired } from '../signIn/isSignInRequired.ts'
import { type ConnectorRegistry, createConnectorRegistry } from '../wallets/connectorRegistry.ts'
import { createNotificationsAndAnalytics, type NotificationsAndAnalytics } from './notificationsAndAnalytics.ts'
import type { PageEnvironment } from './pageEnvironment.ts'

/** The dependencies that the initial bundle passes to the runtime. */
export interface RuntimeDependencies {
  readonly options: LatchkeyOptions
  readonly store: Store<State> & { readonly initial: State }
  readonly log: Log
  readonly events: Events<HostEvents>
  readonly clock: Clock
  account(namespace?: Namespace): AccountView
  /** Creates the error for calls that cannot run because code could not be loaded or the instance was stopped. */
  notLoaded(cause?: unknown): Error
}

/** The modules that every instance creates at startup. */
export interface StartupModules extends NotificationsAndAnalytics {
  readonly networks: Networks
  readonly registry: ConnectorRegistry
  readonly modal: Modal
}

/** Creates the startup modules without reading or changing the state. */
export function createStartupModules({
  options,
  store,
  log,
  clock,
  account,
  environment,
  session,
  storeNetwork,
}: RuntimeDependencies & {
  readonly environment: PageEnvironment
  readonly session: Connections['session']
  /** Stores the active network. */
  storeNetwork(chain: ChainId): void
}): StartupModules {
  const { adapters = [] } = options
  const { mobile, namespaces, listsAllWallets } = environment
  const wallets = slice(store, 'wallets')
  const activeNamespace = () => store.get().networks.namespace
  const { notifications, analytics, errors } = createNotificationsAndAnalytics({
    options,
    environment,
    state: store,
    account,
    clock,
    log,
  })
  const networks = createNetworks({ state: slice(store, 'networks'), adapters, store: storeNetwork })
  const registry = createConnectorRegistry({ wallets, namespaces, activeNamespace, mobile, listsAllWallets })
  const modal = createModal({
    state: slice(store, 'modal'),
    clock,
    log,
    embedded: options.embedded === true,
    routerContext: () => routerContextOf({ options, state: store.get(), account: account(), isMobile: mobile() }),
    activateNamespace(namespace) {
      if (activeNamespace() === namespace) return
      const chain = session(namespace)?.chain ?? networks.first(namespace)
      if (chain) networks.activate(chain)
    },
    filter: registry.filter,
    track: analytics.track,
    closed: notifications.hideToast,
  })
  return { notifications, analytics, errors, networks, registry, modal }
}

/** Returns the state on which routing depends. */
export function routerContextOf({
  options,
  state,
  account,
  isMobile,
}: {
  readonly options: LatchkeyOptions
  readonly state: State
  readonly account: AccountView
  readonly isMobile: boolean
}): RouterContext {
  const { adapters = [], signIn = 'off' } = options
  return {
    connected: account.account !== undefined,
    adapters: adapters.length,
    mobile: isMobile,
    manual: options.manualWalletConnect === true,
    signIn: signIn === 'off' ? signIn : isSignInRequired(options) ? 'required' : 'optional',
    signedIn: state.signIn.status === 'signed-in',
  }
}
