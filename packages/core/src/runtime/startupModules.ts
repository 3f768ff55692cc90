import type { Namespace } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { type Connections, createConnections } from '../connections/connections.ts'
import type { AccountView, HostEvents, State } from '../latchkeyTypes.ts'
import type { Events } from '../lib/createEvents.ts'
import type { Log } from '../lib/log.ts'
import { createRetries, type Retries } from '../lib/retries.ts'
import { type Store, slice } from '../lib/store.ts'
import { embeddedAccountType } from '../login/embeddedAccountType.ts'
import { createModal, type Modal } from '../modal/modal.ts'
import type { RouterContext } from '../modal/router.ts'
import { createNetworks, type Networks } from '../networks/networks.ts'
import type { LatchkeyOptions } from '../options.ts'
import { isSignInRequired } from '../signIn/isSignInRequired.ts'
import { createRecords, type StorageSchema } from '../storage/storageSchema.ts'
import { type ConnectorRegistry, createConnectorRegistry } from '../wallets/connectorRegistry.ts'
import { createRecentWallets, type RecentWallets } from '../wallets/recentWallets.ts'
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
}

/** The parts that every instance creates at startup. */
export interface StartupModules extends NotificationsAndAnalytics {
  readonly records: StorageSchema
  readonly retries: Retries
  readonly networks: Networks
  readonly registry: ConnectorRegistry
  readonly recentWallets: RecentWallets
  readonly connections: Connections
  readonly modal: Modal
}

/** Creates the initial parts. They do not read or change any state yet. */
export function createStartupModules({
  options,
  store,
  log,
  events,
  clock,
  account,
  environment,
  transactionSent,
}: RuntimeDependencies & {
  readonly environment: PageEnvironment
  /** Called when a transaction has been sent. */
  transactionSent(): void
}): StartupModules {
  const { adapters = [] } = options
  const { storage, mobile, namespaces, listsAllWallets } = environment
  const wallets = slice(store, 'wallets')
  const activeNamespace = () => store.get().networks.namespace
  const records = createRecords({ storage: () => storage, log, id: options.id })
  const retries = createRetries(clock)
  const { notifications, analytics, errors } = createNotificationsAndAnalytics({
    options,
    environment,
    state: store,
    account,
    clock,
    log,
  })
  const networks = createNetworks({ state: slice(store, 'networks'), adapters, records })
  const registry = createConnectorRegistry({ wallets, namespaces, activeNamespace, mobile, listsAllWallets })
  const recentWallets = createRecentWallets({ records, wallets })
  const connections = createConnections({
    state: slice(store, 'connections'),
    namespaces,
    networks,
    accountTypes: () =>
      Object.fromEntries(
        namespaces.map((namespace) => [namespace, embeddedAccountType(namespace, { options, records })]),
      ),
    active: activeNamespace,
    records,
    events,
    clock,
    retries,
    log,
    reconnect: options.reconnect !== false,
    multiWallet: options.multiWallet === true,
    track: analytics.track,
    used: recentWallets.addConnector,
    sent: transactionSent,
  })
  const modal = createModal({
    state: slice(store, 'modal'),
    clock,
    log,
    embedded: options.embedded === true,
    routerContext: () => routerContextOf({ options, state: store.get(), account: account(), isMobile: mobile() }),
    activateNamespace(namespace) {
      if (activeNamespace() === namespace) return
      const chain = connections.session(namespace)?.chain ?? networks.first(namespace)
      if (chain) networks.activate(chain)
    },
    filter: registry.filter,
    track: analytics.track,
    closed: notifications.hideToast,
  })
  return { records, retries, notifications, analytics, errors, networks, registry, recentWallets, connections, modal }
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
