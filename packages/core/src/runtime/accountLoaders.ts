import type { BalanceAndIdentity } from '../account/balanceAndIdentity.ts'
import type { OwnActivity } from '../account/pendingTransactionTypes.ts'
import type { Latchkey } from '../latchkeyTypes.ts'
import { type LazyValue, lazyValue } from '../lib/lazyValue.ts'
import { slice } from '../lib/store.ts'
import type { StorageSchema } from '../storage/storageSchema.ts'
import type { AccountModules } from './accountModules.ts'
import type { PageEnvironment } from './pageEnvironment.ts'
import type { RuntimeDependencies, StartupModules } from './startupModules.ts'

/**
 * The account's modules. The loaders from `Latchkey` resolve to `undefined` if their module is unavailable or the instance has
 * stopped.
 */
export interface AccountLoaders
  extends Pick<Latchkey, 'names' | 'onramp' | 'portfolio' | 'send' | 'swap' | 'transactions'> {
  readonly balanceAndIdentity: LazyValue<BalanceAndIdentity>
  /** The transactions that the page sent. */
  activity(): Promise<OwnActivity | undefined>
  stop(): void
}

/** Creates the instance's loaders for the account's modules. The first use loads `accountModules.ts`. */
export function createAccountLoaders({
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
}: Pick<RuntimeDependencies, 'options' | 'store' | 'log' | 'clock' | 'account'> & {
  readonly environment: PageEnvironment
  readonly core: StartupModules
  readonly records: StorageSchema
  readonly session: Latchkey['session']
  readonly directory: Latchkey['directory']
}): AccountLoaders {
  const { fetch, server, storage } = environment
  const { networks } = core
  let stopped = false

  const activeAccount = () => {
    const { account: active, chain } = account()
    const network = chain && networks.find(chain)
    return active && network ? { account: active, network, session: session() } : undefined
  }
  const balanceAndIdentity: LazyValue<BalanceAndIdentity> = lazyValue(async () =>
    (await import('../account/balanceAndIdentity.ts')).createBalanceAndIdentity({
      state: slice(store, 'account'),
      adapters: options.adapters ?? [],
      ...(options.fetch && { fetch }),
      storage: () => storage,
      id: options.id,
      clock,
      log,
      now: activeAccount,
      balanceChanged: (chain) =>
        void accountModules.loaded().then(
          (modules) => modules?.refreshTokens(chain),
          () => undefined,
        ),
      ...(server && {
        async accountIdentityApi(subject, signal) {
          const modules = await accountModules.get()
          return (await modules.identity.get()).read(subject, signal)
        },
      }),
    }),
  )
  const accountModules: LazyValue<AccountModules> = lazyValue(async () =>
    (await import('./accountModules.ts')).createAccountModules({
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
      activeAccount,
      balanceAndIdentity,
    }),
  )
  /** Returns a loader for one of the account's modules. */
  const accountModule =
    <Module extends object>(select: (modules: AccountModules) => LazyValue<Module>) =>
    async (): Promise<Module | undefined> => {
      if (stopped) return undefined
      const loaded = await accountModules.get()
      return stopped ? undefined : select(loaded).get()
    }

  return {
    balanceAndIdentity,
    names: server ? accountModule(({ names }) => names) : async () => undefined,
    onramp: server ? accountModule(({ onramp }) => onramp) : async () => undefined,
    portfolio: accountModule(({ portfolio }) => portfolio),
    send: accountModule(({ send }) => send),
    swap: server ? accountModule(({ swap }) => swap) : async () => undefined,
    transactions: accountModule(({ transactions }) => transactions),
    activity: accountModule(({ activity }) => activity),
    stop() {
      stopped = true
      balanceAndIdentity.stop()
      accountModules.stop()
    },
  }
}
