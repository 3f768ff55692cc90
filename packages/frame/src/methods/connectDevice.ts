import { postEmailDevice } from '@latchkey/protocol/http/vault'
import type { Method } from '../frameContext.ts'

/** Waits until the link in the email was opened. Concurrent calls share one request, so that only one code is sent. */
export const connectDevice: Method<'CONNECT_DEVICE'> = async ({ vault, shared }, _says, { signal }) =>
  shared('device', async () => {
    for (;;) {
      // The server holds each request for a while, so this loop does not spin.
      const { status } = await vault(postEmailDevice, { signal })
      if (status === 'approved') return undefined
      signal.throwIfAborted()
    }
  })
