import { postSocialFinish } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'
import { getUser } from './getUser.ts'

/**
 * Logs in with the result of the social popup, which is valid only in the frame session that started the login. A page without access to
 * the popup's result passes the provider's login URL instead. The frame then receives the result from the popup itself; the page can repeat
 * the call while it waits.
 */
export const connectSocial: Method<'CONNECT_SOCIAL'> = async (context, { uri, ...request }, caller) => {
  const { vault, session, shared, popups } = context
  const resultUri = popups.isSent(uri) ? await popups.result(caller.signal) : uri
  refuseError(resultUri)
  const userName = await shared(`social:${resultUri}`, async () => {
    // The call is repeated after a lost response: the result is already used, but the login succeeded.
    if (session.resultUri() === resultUri) return session.userName()
    const finished = await vault(postSocialFinish, { body: { resultUri } })
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
