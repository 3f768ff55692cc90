import { postSocial } from '@latchkey/protocol/http/keys'
import type { Method } from '../frameContext.ts'

/**
 * Returns the provider's login URL. A popup that is waiting at this origin is redirected immediately. The page can also redirect
 * it.
 */
export const getSocialRedirectUri: Method<'GET_SOCIAL_REDIRECT_URI'> = async (
  { keysClient, popups },
  { provider },
  { origin },
) => {
  popups.begin()
  const answer = await keysClient(postSocial, { params: { provider }, body: { opener: origin } })
  popups.send(answer.uri)
  return answer
}
