import { postSocialFinish } from '@latchkey/protocol/http/vault'
import type { Method } from '../house.ts'
import { Refusal } from '../refusal.ts'
import { getUser } from './getUser.ts'

/**
 * Signs in with what the popup brought back; it is worth something only in the frame session that began. A page that says where the
 * popup went, in place of what it brought, has not seen it: then the popup tells the frame, and the page may ask again meanwhile.
 */
export const connectSocial: Method<'CONNECT_SOCIAL'> = async (house, { uri, ...asked }, asker) => {
  const { vault, session, shared, popups } = house
  const resultUri = popups.isSent(uri) ? await popups.result(asker.signal) : uri
  refuseError(resultUri)
  const userName = await shared(`social:${resultUri}`, async () => {
    // Asked again after the answer was lost: the result is used up, and the sign-in stands.
    if (session.cameBy() === resultUri) return session.userName()
    const finished = await vault(postSocialFinish, { body: { resultUri } })
    session.signedIn(finished.user, finished.userName, resultUri)
    return session.userName()
  })
  return { ...(await getUser(house, asked, asker)), userName: userName ?? null }
}

function refuseError(resultUri: string): void {
  const error = URL.canParse(resultUri) ? new URL(resultUri).searchParams.get('error') : null
  if (error !== null) throw new Refusal(error === 'social/declined' ? 'The sign-in was declined' : 'The sign-in failed')
}
