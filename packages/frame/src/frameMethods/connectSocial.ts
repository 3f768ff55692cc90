import { postSocialFinish } from '@latchkey/protocol/http/keys'
import type { Method } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'
import { getUser } from './getUser.ts'

/**
 * Logs the user in with the social popup's result, which is only valid in the frame session that started the login. A page that
 * cannot access the result passes the provider's login URL instead, and the frame receives the result from the popup itself. The
 * page can repeat the call while it waits.
 */
export const connectSocial: Method<'CONNECT_SOCIAL'> = async (context, { uri, ...request }, caller) => {
  const { keysClient, session, shared, popups } = context
  const resultUri = popups.isSent(uri) ? await popups.result(caller.signal) : uri
  refuseError(resultUri)
  const userName = await shared(`social:${resultUri}`, async () => {
    // A page can repeat the call after losing the response. The result has then already been used, but the login succeeded.
    if (session.resultUri() === resultUri) return session.userName()
    const finished = await keysClient(postSocialFinish, { body: { resultUri } })
    session.signedIn(finished.user, finished.userName, resultUri)
    return session.userName()
  })
  return { ...(await getUser(context, request, caller)), userName: userName ?? null }
}

function refuseError(resultUri: string): void {
  const error = URL.canParse(resultUri) ? new URL(resultUri).searchParams.get('error') : null
  if (error !== null)
    throw new PublicError(error === 'social/declined' ? 'The sign-in was declined' : 'The sign-in failed')
}
