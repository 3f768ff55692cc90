import { postSocialFinish } from '@latchkey/protocol/http/vault'
import type { Method } from '../house.ts'
import { getUser } from './getUser.ts'

/** Signs in with what the popup brought back; it is worth something only in the frame session that began. */
export const connectSocial: Method<'CONNECT_SOCIAL'> = async (house, { uri, ...asked }, asker) => {
  const { user, userName } = await house.vault(postSocialFinish, { body: { resultUri: uri } })
  house.session.signedIn(user, userName)
  return { ...(await getUser(house, asked, asker)), userName }
}
