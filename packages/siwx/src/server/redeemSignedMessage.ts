import {
  type AccountId,
  accountId,
  type ChainId,
  isNamespace,
  type Namespace,
  parseAccountId,
} from '@latchkey/protocol/caip'
import { type SignedMessage, signedMessage } from '@latchkey/protocol/http/signInRoutes'
import * as v from 'valibot'
import { readMessage } from '../message/messageText.ts'
import type { SignatureVerifiers, SignInFields } from '../message/signInTypes.ts'
import { verifySignIn } from '../message/verifySignIn.ts'
import { AuthError } from './authError.ts'
import type { PresentedTokens } from './presentedTokens.ts'
import type { ReplayStore } from './replayStore.ts'
import type { AuthRequest } from './tokenTransport.ts'

/** What the verification of a message depends on. */
export interface RedeemedMessage {
  readonly presented: PresentedTokens
  /** Stores used nonces. */
  readonly replayStore: ReplayStore
  /** The accepted chains. [every chain of a namespace that has a verifier] */
  readonly chains: readonly ChainId[] | undefined
  readonly verifiers: SignatureVerifiers
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Called with the reason of each rejection. */
  readonly onAttempt: (outcome: string) => void
}

/**
 * Verifies a signed message and uses up its nonce. Resolves to its fields and to the tokens of the other nonces, which remain valid. Throws
 * if anything is invalid.
 */
export async function redeemSignedMessage(
  authRequest: AuthRequest,
  { message, signature, data }: SignedMessage,
  { presented, replayStore, chains, verifiers, clock, onAttempt }: RedeemedMessage,
): Promise<{ fields: SignInFields; otherNonces: readonly string[] }> {
  const refusal = (reason: string, description = `The sign-in is not valid: ${reason}`): AuthError => {
    onAttempt(reason)
    return new AuthError(401, reason, description)
  }

  // Apps pass on request bodies unchecked.
  if (!v.is(signedMessage, { message, signature, data })) throw refusal('unreadable')
  const nonces = await presented.nonces(authRequest)
  const ownNonce = nonces.find(({ nonce }) => message.includes(`\nNonce: ${nonce}\n`))
  if (!ownNonce || authRequest.page === undefined)
    throw refusal('nonce', 'The nonce was not issued to this browser or has expired')
  // Spend first, verify second: two requests that race with one nonce must not both pass.
  if (!(await replayStore.markUsed(`nonce ${ownNonce.nonce}`, ownNonce.exp * 1000)))
    throw refusal('nonce', 'The nonce was already used: request a new one')

  const fields = readMessage(message, namespaceOf(message, data?.chainId))
  if (!fields) throw refusal('unreadable')
  const account = accountInMessage(data) ?? accountId(fields.chainId, fields.accountAddress)
  if (chains && !chains.includes(fields.chainId))
    throw refusal('chain', `Signing in on ${fields.chainId} is not supported`)
  const expected = { origin: authRequest.page, nonce: ownNonce.nonce, account, now: clock() }
  const verdict = await verifySignIn({ message, signature, expected, verifiers }).catch(() => {
    onAttempt('unverified')
    throw new AuthError(
      503,
      'signature',
      'The signature could not be checked because no node of its chain is available',
    )
  })
  if (!verdict.ok) throw refusal(verdict.reason)
  const otherNonces = nonces.filter((nonce) => nonce !== ownNonce).map(({ token }) => token)
  return { fields: verdict.fields, otherNonces }
}

/** The namespace of a message. EIP-4361 writes the chain as a number, CAIP-122 as a full ID. */
function namespaceOf(message: string, chainId: unknown): Namespace {
  const [, inMessage = ''] = /\nChain ID: ([^\n]*)/.exec(message) ?? []
  const [namespace = ''] = inMessage.includes(':') ? inMessage.split(':') : String(chainId ?? '').split(':')
  return isNamespace(namespace) ? namespace : 'eip155'
}

function accountInMessage(data: SignedMessage['data']): AccountId | undefined {
  const { chainId, accountAddress } = data ?? {}
  if (typeof accountAddress !== 'string') return undefined
  const account = `${String(chainId)}:${String(accountAddress)}`
  return parseAccountId(account) ? (account as AccountId) : undefined
}
