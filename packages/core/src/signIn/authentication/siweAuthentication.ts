import { type AccountId, addressOf, type ChainId, chainOf, namespaceOf, parseChainId } from '@latchkey/protocol/caip'
import { systemClock } from '@latchkey/protocol/clock'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { AuthenticationAdapter, SignInFields, SignInSession } from '../signInTypes.ts'
import { createBackendSessionEnd } from './endBackendSession.ts'
import { pageOrigin } from './messageParams.ts'
import type { SiweMessageArgs, SiweMessageParams, SiweOptions, SiweSession } from './siweOptions.ts'

/** Creates an authentication adapter from SIWE callbacks. */
export function createSiweAuthentication(options: SiweOptions): AuthenticationAdapter {
  const { enabled = true, signOutOnAccountChange = true, signOutOnNetworkChange = true, clock = systemClock } = options
  /** The network for which the last message was created. */
  let lastChain: ChainId | undefined

  const find = async (): Promise<SiweSession | undefined> => {
    const session = await options.getSession()
    return session?.address && session.chainId ? session : undefined
  }
  const isOfAddress = ({ address }: SiweSession, account: AccountId): boolean =>
    !signOutOnAccountChange || address.toLowerCase() === addressOf(account).toLowerCase()
  const isOf = (session: SiweSession, account: AccountId): boolean =>
    isOfAddress(session, account) && (!signOutOnNetworkChange || chainOfSession(session) === chainOf(account))
  const end = async (): Promise<void> => {
    if (!(await options.signOut())) throw failure('sign-in/not-signed-out')
    options.onSignOut?.()
  }
  const endIf = createBackendSessionEnd({ find, end })

  const addSession = async ({ data, message, signature, cacao }: SignInSession): Promise<void> => {
    if (!isEvm(data.chainId)) return
    const signed = { message, signature, ...(cacao !== undefined && { cacao }) }
    if (!(await options.verifyMessage(signed))) throw failure('sign-in/invalid')
    const session = options.onSignIn && (await find())
    if (session) options.onSignIn?.(session)
  }

  return {
    async createMessage({ account, chain }) {
      lastChain = chain
      const nonce = await options.getNonce(account && addressOf(account))
      const messageParams = options.getMessageParams ? await options.getMessageParams() : thisPage()
      if (!messageParams) throw failure('sign-in/no-message-params')
      const { domain, uri, statement, requestId, resources, iat, exp, nbf } = messageParams
      return {
        domain,
        uri,
        version: '1',
        nonce,
        issuedAt: iat ?? new Date(clock.now()).toISOString(),
        ...(exp && { expirationTime: exp }),
        ...(nbf && { notBefore: nbf }),
        ...(statement && { statement }),
        ...(requestId && { requestId }),
        ...(resources && { resources }),
      }
    },

    addSession,

    async setSessions(sessions) {
      const session = sessions.find(({ data }) => data.chainId === lastChain) ?? sessions[0]
      if (session) await addSession(session)
      else if (enabled) await endIf(() => true)
    },

    async getSessions(account) {
      if (!enabled || !isEvm(chainOf(account))) return [emptySession(account)]
      const session = await find()
      if (!session) return []
      if (!isOfAddress(session, account)) {
        await endIf((now) => !isOfAddress(now, account))
        return []
      }
      if (!isOf(session, account)) return []
      const empty = emptySession(account)
      const data = { ...empty.data, chainId: chainOfSession(session), accountAddress: session.address }
      return [{ ...empty, data }]
    },

    async revokeSession(account) {
      if (enabled && isEvm(chainOf(account))) await endIf((session) => isOf(session, account))
    },
  }
}

/** Returns the arguments for the host's `createMessage`. */
export function siweArgs({ chainId, accountAddress, ...words }: SignInFields): SiweMessageArgs {
  const { domain, uri, nonce, statement, requestId, resources, issuedAt = '', expirationTime, notBefore } = words
  return {
    address: `did:pkh:${chainId}:${accountAddress}`,
    chainId: Number(parseChainId(chainId)?.reference),
    domain,
    uri,
    version: '1',
    nonce,
    iat: issuedAt,
    ...(expirationTime && { exp: expirationTime }),
    ...(notBefore && { nbf: notBefore }),
    ...(statement && { statement }),
    ...(requestId && { requestId }),
    ...(resources && { resources: [...resources] }),
  }
}

function thisPage(): SiweMessageParams {
  const origin = pageOrigin()
  return { domain: new URL(origin).host, uri: origin }
}

/**
 * Returns a session without a message or signature, for an account that the back end has verified or that is exempt from sign-in.
 */
function emptySession(account: AccountId): SignInSession {
  return {
    data: {
      domain: '',
      uri: '',
      version: '1',
      nonce: '',
      chainId: chainOf(account),
      accountAddress: addressOf(account),
    },
    message: '',
    signature: '',
  }
}

function chainOfSession({ chainId }: SiweSession): ChainId {
  return `eip155:${chainId}`
}

function isEvm(chain: ChainId): boolean {
  return namespaceOf(chain) === 'eip155'
}
