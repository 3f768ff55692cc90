import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { createKeyPair } from '../crypto/keyPair.ts'
import type { RpcEngine } from './rpcEngine.ts'
import type { GrantedNamespaces, Proposal, Session } from './schemas.ts'
import { sessionTtl } from './sessionStore.ts'
import type { Sessions } from './sessions.ts'

/** Approves a proposal in the wallet's role, and settles the session. Rejects if the dapp rejects the settlement. */
export async function settleAsWallet(
  rpc: RpcEngine,
  sessions: Sessions,
  approval: {
    /** The ID of the `wc_sessionPropose` request. */
    readonly id: number
    readonly pairingTopic: string
    readonly proposal: Proposal
    readonly namespaces: GrantedNamespaces
    readonly sessionProperties?: Readonly<Record<string, unknown>> | undefined
  },
): Promise<Session> {
  const { id, pairingTopic, proposal, namespaces, sessionProperties } = approval
  const { privateKey, publicKey } = await createKeyPair(rpc.crypto)
  const topic = await rpc.subscribe(await rpc.deriveSharedKey(privateKey, proposal.proposer.publicKey))
  const expiry = Math.floor(rpc.clock.now() / 1000) + sessionTtl
  const session: Session = {
    topic,
    pairingTopic,
    expiry,
    controller: true,
    namespaces,
    self: { publicKey, metadata: rpc.metadata },
    peer: proposal.proposer,
    sessionProperties,
  }
  const relay = { protocol: 'irn' }
  const to = { topic: pairingTopic, id, method: 'wc_sessionPropose' } as const
  await rpc.respond(to, { result: { relay, responderPublicKey: publicKey } })
  // Store the session before the settlement, because the page can use it even if its response to the settlement is lost.
  await sessions.store(session)
  try {
    await rpc.request({
      topic,
      method: 'wc_sessionSettle',
      params: {
        relay,
        namespaces,
        controller: session.self,
        expiry,
        ...(sessionProperties ? { sessionProperties } : {}),
      },
    })
  } catch (error) {
    if (!isLatchkeyError(error, 'request/aborted')) await sessions.remove(topic)
    throw error
  }
  return session
}
