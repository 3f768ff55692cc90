import { type AuthenticateEvent, grantedChains, reasons } from '@latchkey/walletconnect'
import { dappName } from './dappName.ts'
import { errorText } from './errorText.ts'
import type { Account } from './keys.ts'
import type { Network } from './networks.ts'
import type { PendingSignIn } from './requestQueue.ts'
import { type SignInTexts, signAll, signInTexts } from './signInMessages.ts'
import { requestTimeoutMs, type WalletContext } from './walletContext.ts'

/** Shows a page's sign-in request. Rejects the request if it is unreadable or requests only unsupported networks. */
export function receiveSignInRequest(context: WalletContext, event: AuthenticateEvent): void {
  const { responder, clock, networks, store, pairing } = context
  const { id, topic, payload, requester, expiry, attested } = event
  const texts = readableSignInTexts({ payload, requester }, { account: store.get().account, networks })
  if (!texts) {
    pairing.fail(
      `${dappName(requester)} wants you to sign in on networks that this wallet does not support. The request was rejected.`,
    )
    void responder.reject(id, reasons.unsupportedChains).catch(() => {})
    return
  }
  const expiresAt = (expiry ?? 0) * 1000 || clock.now() + requestTimeoutMs
  const key = `signIn:${topic}:${id}`
  context.show({ key, kind: 'signIn', id, topic, from: requester, payload, texts, expiresAt, state: { at: 'open' } })
  void context.verifyOrigin(key, attested, requester)
}

/** Signs the sign-in messages and responds to the page. The page is also connected if it requested methods. */
export async function approveSignInRequest(context: WalletContext, request: PendingSignIn): Promise<void> {
  const { responder, store, queue, pairing, connections } = context
  const { key, id, texts, from } = request
  queue.update(key, { state: { at: 'doing' } })
  try {
    const session = await responder.signIn(id, await signAll(texts, store.get().account))
    context.remove(key)
    if (session) connections.look(session.topic, grantedChains(session.namespaces)[0] as string)
    context.refreshConnections()
    store.toast('success', `Signed in to ${dappName(from)}. You can go back to the page.`)
  } catch (error) {
    context.remove(key)
    pairing.fail(`You are not signed in to ${dappName(from)}. ${errorText(error)}`)
  }
}

/** Returns the sign-in messages, or `undefined` if this wallet supports none of the networks or cannot read the request. */
export function readableSignInTexts(
  request: Pick<AuthenticateEvent, 'payload' | 'requester'>,
  wallet: { readonly account: Account; readonly networks: readonly Network[] },
): SignInTexts | undefined {
  try {
    return signInTexts(request, wallet)
  } catch {
    // The request contains an unreadable ReCap, which must not be signed.
    return undefined
  }
}
