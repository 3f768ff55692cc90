import { postFarcaster } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** Returns the link for the Farcaster app. It stays the same until it expires. */
export const getFarcasterUri: Method<'GET_FARCASTER_URI'> = async ({ vault }) => vault(postFarcaster)
