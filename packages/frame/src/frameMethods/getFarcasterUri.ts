import { postFarcaster } from '@latchkey/protocol/http/keys'
import type { Method } from '../frameContext.ts'

/** Returns the link to open in the Farcaster app. The link stays the same until it expires. */
export const getFarcasterUri: Method<'GET_FARCASTER_URI'> = async ({ keysClient }) => keysClient(postFarcaster)
