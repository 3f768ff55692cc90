import type { Clock } from '@latchkey/protocol/clock'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import {
  type Client,
  createResponder,
  type KeyValueStorage,
  type RelayState,
  type ResponderEvents,
  reasons,
  type SessionEvents,
} from '@latchkey/walletconnect'
import type { Verifier } from '@latchkey/walletconnect/verify'
import { createConnections } from './connections.ts'
import { approveConnectRequest, receiveConnectRequest } from './connectRequests.ts'
import { dappName } from './dappName.ts'
import type { DeepLink } from './deepLink.ts'
import { errorText } from './errorText.ts'
import { grantNamespaces } from './grantNamespaces.ts'
import type { Account } from './keys.ts'
import { createMethodRequests, isMethodRequestKey, methodRequestKey } from './methodRequests.ts'
import type { Ask, Network } from './networks.ts'
import { createPairing } from './pairing.ts'
import { createRequestQueue, type PendingConnect, type PendingRequest, type PendingSignIn } from './requestQueue.ts'
import { approveSignInRequest, readableSignInTexts, receiveSignInRequest } from './signInRequests.ts'
import type { WalletContext } from './walletContext.ts'
import { createWalletStore, type WalletState } from './walletState.ts'

/** The wallet logic, without the user interface. */
export interface Wallet {
  get(): WalletState
  subscribe(listener: () => void): () => void
  /** Follows a deep link, which either starts a pairing or moves a pending request to the front. */
  follow(link: DeepLink): Promise<void>
  choose(account: Account): void
  approve(key: string): Promise<void>
  reject(key: string): Promise<void>
  disconnect(topic: string): Promise<void>
  extend(topic: string): Promise<void>
  /** Switches a page to a different account. */
  showAccount(topic: string, account: Account): Promise<void>
  /** Switches a page to a different network. */
  moveTo(topic: string, network: Network): Promise<void>
  /** Reconnects to the relay immediately. Call this method when the page becomes visible or the device comes back online. */
  wake(): void
  /** Clears `pairing` or `toast`. */
  dismiss(what: 'pairing' | 'toast'): void
  /** Updates the state of the relay connection. */
  relayChanged(state: RelayState, error?: LatchkeyError): void
  stop(): void
}

/** Parameters of `createWallet()`. */
export interface WalletParameters {
  readonly client: Client
  readonly records: KeyValueStorage
  readonly accounts: readonly [Account, ...Account[]]
  readonly networks: readonly Network[]
  readonly ask: Ask
  readonly verifier?: Verifier | undefined
  readonly clock: Clock
}

/** Creates a wallet that uses `client`, and restores the stored sessions and pending requests. */
export async function createWallet(parameters: WalletParameters): Promise<Wallet> {
  const { client, records, networks, ask } = parameters
  const context = await createContext(parameters)
  const { responder, store, queue, pairing, connections } = context
  const methodRequests = createMethodRequests(context, { sessions: client.sessions, records, ask })
  /** The topics of the sessions that the user is disconnecting. */
  const disconnecting = new Set<string>()

  const removeListeners = [
    responder.on('proposal', (event) => receiveConnectRequest(context, event)),
    responder.on('signIn', (event) => receiveSignInRequest(context, event)),
    responder.on('withdrawn', (event) => removeWithdrawn(context, event)),
    client.sessions.on('request', (event) => methodRequests.receive(event)),
    client.sessions.on('updated', () => context.refreshConnections()),
    client.sessions.on('extended', () => context.refreshConnections()),
    client.sessions.on('ended', (event) => {
      removeSession(context, event, { isAnnounced: !disconnecting.has(event.session.topic) })
    }),
  ]
  context.refreshConnections()
  await methodRequests.restore()

  /** Returns the request with this key, or `undefined` if there is none or it is being executed. */
  const findIdle = (key: string): PendingRequest | undefined => {
    const request = queue.find(key)
    return request?.state.at === 'doing' ? undefined : request
  }

  return {
    get: store.get,
    subscribe: store.subscribe,

    async follow(link) {
      if (link.to === 'pair') return pairing.join(link.uri)
      const request = queue.find(methodRequestKey(link))
      if (request) context.show(request, { front: true })
      else client.reconnectNow()
    },

    choose(account) {
      store.set({ account })
      void records.set('account', account.evm.address)
      // Recompute what pending requests would grant or sign with the new account.
      queue.updateAll((request) => forAccount(request, { account, networks }))
    },

    async approve(key) {
      const request = findIdle(key)
      if (request?.kind === 'connect') await approveConnectRequest(context, request)
      else if (request?.kind === 'signIn') await approveSignInRequest(context, request)
      else if (request) await methodRequests.approve(request)
    },

    async reject(key) {
      const request = findIdle(key)
      if (request?.kind === 'request') await methodRequests.reject(request)
      else if (request) await rejectPairingRequest(context, request)
    },

    async disconnect(topic) {
      disconnecting.add(topic)
      const session = client.sessions.get(topic)
      await client.sessions.disconnect(topic)
      if (session) store.toast('success', `Disconnected from ${dappName(session.peer.metadata)}.`)
    },

    async extend(topic) {
      if (await connections.extend(topic)) store.toast('success', 'The connection was extended by seven days.')
    },
    wake: () => client.reconnectNow(),
    showAccount: connections.showAccount,
    moveTo: connections.moveTo,

    dismiss(what) {
      if (what === 'toast') store.set({ toast: undefined })
      else pairing.end()
    },

    relayChanged(relay, relayError) {
      store.set({ relay, relayError })
    },

    stop() {
      store.stop()
      pairing.stop()
      queue.stop()
      for (const remove of removeListeners) remove()
      client.close()
    },
  }
}

async function createContext({
  client,
  records,
  accounts,
  networks,
  verifier,
  clock,
}: WalletParameters): Promise<WalletContext> {
  const responder = createResponder(client.rpc, client.sessions)
  const store = createWalletStore({ relay: client.state, accounts, account: accounts[0], networks })
  const pairing = createPairing({ responder, clock, changed: (state) => store.set({ pairing: state }) })

  const remove = (key: string): void => {
    queue.remove(key)
    if (isMethodRequestKey(key)) void records.remove(key)
  }
  const queue = createRequestQueue({
    clock,
    changed: (pendingRequests) => store.set({ pendingRequests }),
    expired({ key, from }) {
      remove(key)
      store.toast('error', `The request from ${dappName(from)} has expired.`)
    },
  })
  const refreshConnections = (): void => store.set({ connections: connections.all() })
  const connections = await createConnections({
    client,
    records,
    accounts,
    clock,
    changed: refreshConnections,
    failed: (sentence) => store.toast('error', sentence),
  })

  return {
    responder,
    accounts,
    networks,
    clock,
    store,
    queue,
    pairing,
    connections,
    refreshConnections,
    remove,
    show(request, options) {
      // The pairing is complete once the page has sent its first request.
      if (request.kind !== 'request') pairing.end()
      // Hide a success toast, which would cover the request.
      if (store.get().toast?.kind === 'success') store.set({ toast: undefined })
      queue.put(request, options)
    },
    async verifyOrigin(key, attested, { url }) {
      const verdict = await verifier?.verify(attested, url)
      if (queue.find(key)) queue.update(key, { verdict })
    },
  }
}

function removeWithdrawn({ store, queue, remove }: WalletContext, { id, topic }: ResponderEvents['withdrawn']): void {
  const request = queue.all().find((item) => item.id === id && item.topic === topic && item.kind !== 'request')
  if (!request || request.state.at === 'doing') return
  remove(request.key)
  store.toast('error', `${dappName(request.from)} cancelled its request.`)
}

function removeSession(
  { store, queue, connections, refreshConnections, remove }: WalletContext,
  { session, reason }: SessionEvents['ended'],
  { isAnnounced }: { readonly isAnnounced: boolean },
): void {
  const { topic } = session
  connections.forget(topic)
  for (const request of queue.all()) if (request.topic === topic) remove(request.key)
  refreshConnections()
  if (!isAnnounced) return
  const name = dappName(session.peer.metadata)
  store.toast('success', reason === 'expired' ? `The connection to ${name} has expired.` : `${name} has disconnected.`)
}

/** Rejects a request to connect or to sign in. */
async function rejectPairingRequest(
  { responder, store, remove }: WalletContext,
  request: PendingConnect | PendingSignIn,
): Promise<void> {
  const refused = request.kind === 'connect' && 'refused' in request.grant ? request.grant.refused : undefined
  remove(request.key)
  await responder.reject(request.id, refused ?? reasons.userRejected).catch((error: unknown) => {
    store.toast('error', `The page could not be notified. ${errorText(error)}`)
  })
}

/** Recomputes a connection or sign-in request for the selected account. Returns a method request unchanged. */
function forAccount(
  request: PendingRequest,
  wallet: { readonly account: Account; readonly networks: readonly Network[] },
): PendingRequest {
  if (request.kind === 'connect') return { ...request, grant: grantNamespaces(request.proposal, wallet) }
  if (request.kind === 'request') return request
  const texts = readableSignInTexts({ payload: request.payload, requester: request.from }, wallet)
  return texts ? { ...request, texts } : request
}
