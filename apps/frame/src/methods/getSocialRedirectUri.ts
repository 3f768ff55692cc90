import { postSocial } from '@latchkey/protocol/http/vault'
import type { Method } from '../house.ts'

/** Where the popup goes. */
export const getSocialRedirectUri: Method<'GET_SOCIAL_REDIRECT_URI'> = async ({ vault }, { provider }, { origin }) =>
  vault(postSocial, { params: { provider }, body: { opener: origin } })
