import { postEmailDevice } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** Waits until the link in the mail was followed. Pages ask again and again: all wait together, and one code is mailed. */
export const connectDevice: Method<'CONNECT_DEVICE'> = async ({ vault, shared }, _says, { signal }) =>
  shared('device', async () => {
    for (;;) {
      // The server holds each question for a while, so this does not spin.
      const { status } = await vault(postEmailDevice, { signal })
      if (status === 'approved') return undefined
      signal.throwIfAborted()
    }
  })
