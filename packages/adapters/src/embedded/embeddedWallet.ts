import type {
  Adapter,
  Connector,
  ConnectorContext,
  EmbeddedWalletClient,
  LoginRecords,
  Network,
  Session,
  SignInOnLogin,
} from '@latchkey/core/adapter'
import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import type { FrameUser } from '@latchkey/protocol/frame/messages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { accountOf, createEmbeddedAccounts } from './embeddedAccounts.ts'
import { createEmbeddedFrame, type EmbeddedFrame } from './embeddedFrame.ts'
import type { EmbeddedOptions } from './embeddedOptions.ts'
import { openEvm } from './evmSession.ts'
import { rpcUrlOf } from './frameUrl.ts'
import { createLoginClient } from './loginClient.ts'
import { forgetLogin, rememberLogin } from './loginRecords.ts'
import { keepSigned, prepareSignIn } from './prepareSignIn.ts'
import { requestAccount } from './requestAccount.ts'
import type { EmbeddedAccount, FamilySessionInput, SessionContext } from './sessionContext.ts'
import { createSocialLogin } from './socialLogin.ts'
import { openSolana } from './solanaSession.ts'
import { createPageDataSync } from './syncPageData.ts'

/** Parameters for connecting one chain family. */
export interface Connecting {
  readonly connector: Connector
  readonly adapter: Adapter
  readonly chain?: ChainId
  readonly silent?: boolean
  readonly signal: AbortSignal
}

/** An instance's embedded wallet. All chain families share one frame. */
export interface EmbeddedWallet {
  readonly wallet: EmbeddedWalletClient
  connect(params: Connecting): Promise<Session>
  close(): void
}

/** Creates the embedded wallet. The frame is mounted on first use. */
export function createEmbeddedWallet({
  options,
  host,
}: {
  options: EmbeddedOptions
  host: ConnectorContext
}): EmbeddedWallet {
  const { log, records } = host
  /** The state that sessions keep between logins, keyed by the adapters of the connected chain families. */
  const stored = new Map<Adapter, FamilySessionInput['stored']>()
  let leaving: Promise<void> | undefined
  /** How the account's keys are protected, as last reported by the frame. */
  let protection: FrameUser['protection']

  const rpcUrl = (chain: ChainId): string | undefined => rpcUrlOf(findNetwork(chain, stored.keys(), host))
  const accounts = createEmbeddedAccounts()
  const frame = createEmbeddedFrame({ options, host, rpcUrl })
  const setup = createPageDataSync({ frame, host, projectId: options.projectId })
  const social = createSocialLogin({ frame, setup, host })

  const keepSignIn = async (signIn: SignInOnLogin | undefined, user: FrameUser): Promise<void> => {
    if (signIn)
      await keepSigned(signIn, user).catch((error: unknown) =>
        log.warn('The frame did not sign a valid sign-in', error),
      )
  }

  /** Requests a chain family's account from the frame and stores it. */
  const getAccount = async (
    namespace: Namespace,
    chain: ChainId,
    params: { signal?: AbortSignal; silent?: boolean; signIn?: SignInOnLogin | undefined } = {},
  ): Promise<EmbeddedAccount> => {
    const account = await requestAccount({
      ...params,
      frame,
      host,
      chain,
      rpcUrl: rpcUrl(chain),
      async received(user, hide) {
        const account = accountOf(namespace, user)
        rememberLogin(records, user, account.chain)
        protection = user.protection
        hide()
        await keepSignIn(params.signIn, user)
        return account
      },
    })
    accounts.set(namespace, account)
    return account
  }

  const signOut = (): Promise<void> => {
    leaving ??= (async () => {
      forgetLogin(records)
      social.clear()
      accounts.clear()
      // The channel stops waiting after three seconds (R9.1).
      await frame
        .mounted()
        ?.channel.ask('SIGN_OUT', undefined)
        .catch((error: unknown) => log.warn('The frame did not sign out', error))
    })().finally(() => {
      leaving = undefined
    })
    return leaving
  }

  const sessionContext = (namespace: Namespace): SessionContext => ({
    host,
    requests: frame.mount().requests,
    holder() {
      const account = accounts.get(namespace)
      if (!account) throw notLoggedIn()
      return account
    },
    onHolder: (listener) => accounts.subscribe(namespace, listener),
    async moveTo(network) {
      const chain = network.caipNetworkId
      const rpcUrl = rpcUrlOf(network)
      await frame.mount().channel.ask('SWITCH_NETWORK', { chainId: chain, ...(rpcUrl !== undefined && { rpcUrl }) })
      await getAccount(namespace, chain)
    },
    signOut,
  })

  const wallet = createLoginClient({
    frame,
    setup,
    host,
    origin: new URL(options.url).origin,
    connectSocial: social.connect,
    async hasSingleKey() {
      const account = accounts.any()
      if (!account || protection !== 'single') return false
      // Check again, because the user might have added a key.
      const user = await frame.mount().channel.ask('GET_USER', { chainId: account.chain })
      protection = user.protection
      return protection === 'single'
    },
    accounts,
    getAccount,
  })

  return {
    wallet,
    async connect({ connector, adapter, chain: requested, silent = false, signal }) {
      const { namespace } = adapter
      const memory = stored.get(adapter) ?? {}
      stored.set(adapter, memory)
      await leaving
      if (silent) await assertLoggedIn(frame, records, signal)
      await setup.done(signal)
      const chain = requested ?? host.network(namespace)?.caipNetworkId ?? adapter.networks[0]?.caipNetworkId
      const result = social.take(namespace)
      const login = silent ? undefined : result
      if (login) {
        rememberLogin(records, login.user, login.chain)
        protection = login.user.protection
      }
      const known = login && (!chain || login.chain === chain) ? accountOf(namespace, login.user) : undefined
      if (known && login) await keepSignIn(login.signIn, login.user)
      // Default to Ethereum if no network is configured, as the frame protocol does.
      const active = chain ?? login?.chain ?? defaultChain(namespace)
      // A third-party frame that has already returned the user has also handled the sign-in.
      const signsIn = !silent && (!known || frame.mount().channel.speaks === 'port')
      const signIn = signsIn ? await prepareSignIn(host, active, signal) : undefined
      if (known && !signIn) accounts.set(namespace, known)
      else await getAccount(namespace, active, { signal, silent, signIn })
      const input = { inside: sessionContext(namespace), connector, adapter, signal, stored: memory }
      return namespace === 'eip155' ? openEvm(input) : openSolana(input)
    },
    close() {
      setup.stop()
      frame.close()
      accounts.stop()
    },
  }
}

/** Rejects if the user of a stored login is no longer logged in. */
async function assertLoggedIn(
  frame: Pick<EmbeddedFrame, 'mount'>,
  records: LoginRecords,
  signal: AbortSignal,
): Promise<void> {
  const { channel, startup } = frame.mount()
  startup.retry()
  // Only log the user out if the response is `false`. After an error, the keys origin might be unreachable (decision 7).
  startup.assertCompatible()
  const { isConnected } = await channel.ask('IS_CONNECTED', undefined, { signal })
  startup.assertCompatible()
  if (isConnected) return
  forgetLogin(records)
  throw notLoggedIn()
}

function notLoggedIn(): LatchkeyError {
  return new LatchkeyError('wallet/not-authorized', { connectorId: 'ID_AUTH' })
}

function defaultChain(namespace: Namespace): ChainId {
  return namespace === 'solana' ? 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' : 'eip155:1'
}

/** Returns the network for `chain` from the connected adapters, or the page's active network if it has this chain ID. */
function findNetwork(
  chain: ChainId,
  adapters: Iterable<Adapter>,
  host: Pick<ConnectorContext, 'network'>,
): Network | undefined {
  for (const { networks } of adapters) {
    const found = networks.find(({ caipNetworkId }) => caipNetworkId === chain)
    if (found) return found
  }
  const active = host.network(namespaceOf(chain))
  return active?.caipNetworkId === chain ? active : undefined
}
