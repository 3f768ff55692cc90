import type { KeyPair } from '../crypto/keyPair.ts'
import { allowedBy, type Cacao, readRecap, signerOf } from './cacao.ts'
import type { RpcEngine } from './rpcEngine.ts'
import type { GrantedNamespaces, Metadata, Session } from './schemas.ts'
import { sessionTtl } from './sessionStore.ts'
import type { Sessions } from './sessions.ts'

/**
 * Returns the namespaces that a sign-in grants: the methods in the ReCaps, on the chains in the CACAOs. Returns `undefined` if
 * the sign-in grants no method.
 * @throws `recap/…` if a ReCap is invalid.
 */
export function grantedBy(cacaos: readonly Cacao[]): GrantedNamespaces | undefined {
  const methods = new Set(cacaos.flatMap(({ p }) => allowedBy(readRecap(p.resources ?? [])).methods))
  if (methods.size === 0) return undefined
  const signers = cacaos.map(signerOf)
  return {
    eip155: {
      chains: [...new Set(signers.map(({ chain }) => chain))],
      accounts: [...new Set(signers.map(({ chain, address }) => `${chain}:${address}`))],
      methods: [...methods],
      events: ['chainChanged', 'accountsChanged'],
    },
  }
}

/** Creates and stores the session for a sign-in, in either role. Resolves to `undefined` if the sign-in grants no method. */
export async function openAuthenticatedSession(
  rpc: RpcEngine,
  sessions: Sessions,
  signIn: {
    readonly cacaos: readonly Cacao[]
    readonly pairingTopic: string
    readonly keys: KeyPair
    readonly peer: { readonly publicKey: string; readonly metadata: Metadata }
    /** Whether this client is the wallet. */
    readonly controller: boolean
  },
): Promise<Session | undefined> {
  const { cacaos, pairingTopic, keys, peer, controller } = signIn
  const namespaces = grantedBy(cacaos)
  if (!namespaces) return undefined
  const topic = await rpc.subscribe(await rpc.deriveSharedKey(keys.privateKey, peer.publicKey))
  const session: Session = {
    topic,
    pairingTopic,
    expiry: Math.floor(rpc.clock.now() / 1000) + sessionTtl,
    controller,
    namespaces,
    self: { publicKey: keys.publicKey, metadata: rpc.metadata },
    peer,
  }
  await sessions.store(session)
  return session
}
