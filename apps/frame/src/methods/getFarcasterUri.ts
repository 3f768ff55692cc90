import { postFarcaster } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** The link for the Farcaster app, the same one while it lives. */
export const getFarcasterUri: Method<'GET_FARCASTER_URI'> = async ({ vault }) => vault(postFarcaster)
