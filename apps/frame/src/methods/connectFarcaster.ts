import { postFarcasterFinish } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** Waits until the person agreed in the Farcaster app. Pages ask at every turn: all wait together, and each is answered. */
export const connectFarcaster: Method<'CONNECT_FARCASTER'> = async ({ vault, session, shared }, _says, { signal }) =>
  shared('farcaster', async () => {
    for (;;) {
      const response = await vault(postFarcasterFinish, { signal })
      if (response.status === 'done') {
        session.signedIn(response.user, response.userName)
        return { userName: response.userName }
      }
      signal.throwIfAborted()
    }
  })
