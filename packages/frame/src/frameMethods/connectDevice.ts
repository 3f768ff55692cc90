import { postEmailDevice } from '@latchkey/protocol/http/keys'
import type { Method } from '../frameContext.ts'

/** Waits until the user approves this browser on the page that the emailed link opens. Concurrent calls share one request. */
export const connectDevice: Method<'CONNECT_DEVICE'> = async ({ keysClient, shared }, _says, { signal }) =>
  shared('device', async () => {
    for (;;) {
      // The server delays each response, so this loop does not send requests in quick succession.
      const { status } = await keysClient(postEmailDevice, { signal })
      if (status === 'approved') return undefined
      signal.throwIfAborted()
    }
  })
