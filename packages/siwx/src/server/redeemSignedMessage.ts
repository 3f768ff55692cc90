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
import { consumeNonce } from './consumeNonce.ts'
import type { PresentedTokens } from './presentedTokens.ts'
import type { ReplayStore } from './replayStore.ts'
import type { AuthRequest } from './tokenTransport.ts'

/** The dependencies for verifying a signed message. */
export interface RedeemedMessage {
  readonly presented: PresentedTokens
  /** Stores used nonces. */
  readonly replayStore: ReplayStore
  /** The accepted chains. If `undefined`, every chain in a namespace that has a verifier is accepted. */
  readonly chains: readonly ChainId[] | undefined
  readonly verifiers: SignatureVerifiers
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Called with the reason for each rejection. */
  readonly onAttempt: (outcome: string) => void
}

/**
 * Verifies a signed message and uses up its nonce. Resolves to the message's fields and the tokens of the other nonces that the
 * browser presented, which remain valid. Rejects if anything is invalid.
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

  // Checked at runtime, because apps pass on request bodies without validating them.
  if (!v.is(signedMessage, { message, signature, data })) throw refusal('unreadable')
  const nonces = await presented.nonces(authRequest)
  const ownNonce = nonces.find(({ nonce }) => message.includes(`\nNonce: ${nonce}\n`))
  if (!ownNonce || authRequest.page === undefined)
    throw refusal('nonce', 'The nonce was not issued to this browser or has expired')
  // Consume the nonce before verifying the message, because two concurrent requests with one nonce must not both succeed.
  if (!(await consumeNonce(ownNonce, replayStore)))
    throw refusal('nonce', 'The nonce has already been used: request a new one')

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
      'The signature could not be verified because no node for the account’s chain is available',
    )
  })
  if (!verdict.ok) throw refusal(verdict.reason)
  const otherNonces = nonces.filter((nonce) => nonce !== ownNonce).map(({ token }) => token)
  return { fields: verdict.fields, otherNonces }
}

/**
 * Returns the namespace of a message. The chain ID is a number in EIP-4361 messages, and usually a full ID in CAIP-122 messages.
 */
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
