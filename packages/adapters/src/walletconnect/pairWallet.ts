import type { Adapter, PairingProvider } from '@latchkey/core/adapter'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { AuthenticateResult, Client, createProposer } from '@latchkey/walletconnect'
import { toWalletError } from '../shared/walletErrors.ts'
import { toCacaoPayload, toSignedCacao } from './cacaoSignIn.ts'
import { proposalFor, signInMethods, wantedNamespaces } from './proposedNamespaces.ts'
import { asRpcError } from './rpcErrors.ts'
import { hasNamespace, type SettledSessions } from './settledSessions.ts'
import type { WalletConnectOptions } from './walletConnectOptions.ts'

/** Pairs wallets with the page. */
export interface WalletPairing extends PairingProvider {
  /** Rejects all pending pairings with `error`. */
  abort(error: LatchkeyError): void
}

/** Creates the pairing provider for a client. Sessions that are settled are added to `settled`. */
export function createWalletPairing({
  proposer,
  sessions,
  settled,
  adapters: servedAdapters,
  options,
  connectorId,
}: {
  readonly proposer: ReturnType<typeof createProposer>
  readonly sessions: Pick<Client['sessions'], 'disconnect'>
  readonly settled: Pick<SettledSessions, 'add' | 'fresh' | 'takeFresh'>
  adapters(): readonly Adapter[]
  readonly options: WalletConnectOptions
  readonly connectorId: string
}): WalletPairing {
  const pending = new Set<AbortController>()

  /** Sends a proposal, and passes its URI to the page for display until a wallet responds. */
  const offer = async (
    { signal, onUri, signIn }: Parameters<PairingProvider['pair']>[0],
    optionalNamespaces: ReturnType<typeof proposalFor>,
  ): Promise<AuthenticateResult> => {
    const controller = new AbortController()
    const either = AbortSignal.any([signal, controller.signal])
    pending.add(controller)
    try {
      const proposed = signIn
        ? await proposer.authenticate({
            optionalNamespaces,
            signal: either,
            payload: toCacaoPayload(signIn),
            methods: options.methods?.eip155 ?? signInMethods,
          })
        : await proposer.propose({ optionalNamespaces, signal: either })
      const { uri, expiresAt } = proposed
      onUri({ uri, expiresAt })
      options.onOffer?.({ uri, expiresAt })
      const answer = await proposed.settled
      return 'cacaos' in answer ? answer : { cacaos: [], session: answer }
    } catch (error) {
      throw toWalletError(controller.signal.reason ?? asRpcError(error), { request: 'connect', connectorId })
    } finally {
      pending.delete(controller)
      options.onOffer?.(undefined)
    }
  }

  return {
    abort(error) {
      for (const controller of pending) controller.abort(error)
    },
    async pair(params) {
      const adapters = servedAdapters()
      const requested = wantedNamespaces(
        adapters.flatMap(({ networks }) => networks),
        options,
      )
      const { session, cacaos } = await offer(params, proposalFor(requested))
      if (!session) throw failure('session/invalid', { message: 'it signed in but opened no session' })
      const namespaces = adapters
        .map(({ namespace }) => namespace)
        .filter((namespace) => hasNamespace(session, namespace))
      const [first, ...more] = namespaces
      if (!first) {
        await sessions.disconnect(session.topic)
        throw failure('session/invalid', { message: 'it has no account on any network of this page' })
      }
      await settled.add(session, { namespaces, requested: Object.values(requested).flatMap(({ chains }) => chains) })
      const { name, url, icons } = session.peer.metadata
      const icon = icons.find((image) => /^(https|data:image)/.test(image))
      return {
        namespaces: [first, ...more],
        wallet: { name, url, ...(icon && { icon }) },
        signed: cacaos.map(toSignedCacao),
        async disconnect() {
          for (const namespace of namespaces) if (settled.fresh(namespace) === session) settled.takeFresh(namespace)
          await sessions.disconnect(session.topic)
        },
      }
    },
  }
}
