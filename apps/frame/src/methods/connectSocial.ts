import { postSocialFinish } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'
import { getUser } from './getUser.ts'

/**
 * Signs in with what the popup brought back; it is worth something only in the frame session that began. A page that says where the
 * popup went, in place of what it brought, has not seen it: then the popup tells the frame, and the page may ask again meanwhile.
 */
export const connectSocial: Method<'CONNECT_SOCIAL'> = async (context, { uri, ...request }, caller) => {
  const { vault, session, shared, popups } = context
  const resultUri = popups.isSent(uri) ? await popups.result(caller.signal) : uri
  refuseError(resultUri)
  const userName = await shared(`social:${resultUri}`, async () => {
    // Asked again after the answer was lost: the result is used up, and the sign-in stands.
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
