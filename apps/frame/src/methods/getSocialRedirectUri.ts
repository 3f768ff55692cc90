import { postSocial } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** Where the popup goes. One that waits at our own address is sent there at once; a page may also send it itself. */
export const getSocialRedirectUri: Method<'GET_SOCIAL_REDIRECT_URI'> = async (
  { vault, popups },
  { provider },
  { origin },
) => {
  popups.begin()
  const answer = await vault(postSocial, { params: { provider }, body: { opener: origin } })
  popups.send(answer.uri)
  return answer
}
