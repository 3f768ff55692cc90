import { postFarcasterFinish } from '@latchkey/protocol/http/vault'
import type { Method } from '../house.ts'

/** Waits until the person agreed in the Farcaster app. Pages ask at every turn: all wait together, and each is answered. */
export const connectFarcaster: Method<'CONNECT_FARCASTER'> = async ({ vault, session, shared }, _says, { signal }) =>
  shared('farcaster', async () => {
    for (;;) {
      const said = await vault(postFarcasterFinish, { signal })
      if (said.status === 'done') {
        session.signedIn(said.user, said.userName)
        return { userName: said.userName }
      }
      signal.throwIfAborted()
    }
  })
