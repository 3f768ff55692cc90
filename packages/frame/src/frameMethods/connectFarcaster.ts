import { postFarcasterFinish } from '@latchkey/protocol/http/keys'
import type { Method } from '../frameContext.ts'

/** Waits until the user approves the login in the Farcaster app. Concurrent calls share one request. */
export const connectFarcaster: Method<'CONNECT_FARCASTER'> = async (
  { keysClient, session, shared },
  _says,
  { signal },
) =>
  shared('farcaster', async () => {
    for (;;) {
      const response = await keysClient(postFarcasterFinish, { signal })
      if (response.status === 'done') {
        session.signedIn(response.user, response.userName)
        return { userName: response.userName }
      }
      signal.throwIfAborted()
    }
  })
