import { postFarcaster } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** Returns the link to open in the Farcaster app. The link stays the same until it expires. */
export const getFarcasterUri: Method<'GET_FARCASTER_URI'> = async ({ vault }) => vault(postFarcaster)
