import { addressOf, type ChainId } from '@latchkey/protocol/caip'
import type { AuthenticateRequest, SignedCacao } from '../adapter.ts'
import type { State } from '../latchkeyTypes.ts'
import type { AuthenticationAdapter, SignInSession } from '../signIn/signInTypes.ts'

/**
 * Returns the sign-in request for a wallet that is connecting, or `undefined` if there is no EVM chain. The request lists the
 * active chain first.
 */
export async function sessionAuthenticateRequest(
  authentication: AuthenticationAdapter,
  { known, active }: State['networks'],
  now: number,
): Promise<AuthenticateRequest | undefined> {
  const all = known.map(({ caipNetworkId }) => caipNetworkId).filter(isEvm)
  const chains = [...new Set([...all.filter((chain) => chain === active), ...all])]
  const [first] = chains
  if (!first) return undefined
  const { version: _, ...fields } = await authentication.createMessage({ chain: first })
  return {
    ...fields,
    issuedAt: fields.issuedAt ?? new Date(now).toISOString(),
    chains: [first, ...chains.slice(1)],
  }
}

/** Whether the fields and chain of a signed message match the request. The authentication adapter verifies the signature. */
export function answersRequest(params: AuthenticateRequest, { account, fields }: SignedCacao): boolean {
  return (
    fields.domain === params.domain &&
    fields.uri === params.uri &&
    fields.nonce === params.nonce &&
    fields.issuedAt === params.issuedAt &&
    fields.expirationTime === params.expirationTime &&
    fields.notBefore === params.notBefore &&
    params.chains.some((chain) => account.startsWith(`${chain}:`))
  )
}

/** Creates a sign-in session from a message that a wallet signed while connecting. The signature is not verified yet. */
export function sessionOf({ account, message, signature, fields, cacao }: SignedCacao): SignInSession {
  const [namespace, reference] = account.split(':')
  return {
    data: {
      ...fields,
      version: fields.version ?? '1',
      chainId: `${namespace}:${reference}` as ChainId,
      accountAddress: addressOf(account),
    },
    message,
    signature,
    cacao,
  }
}

function isEvm(chain: ChainId): chain is ChainId<'eip155'> {
  return chain.startsWith('eip155:')
}
