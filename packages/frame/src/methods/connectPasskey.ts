import type { Method } from '../frameContext.ts'

/** Logs in and opens the wallet with a passkey, or creates one, on a screen of the frame. */
export const connectPasskey: Method<'CONNECT_PASSKEY'> = async ({ wallet, shared }, _says, { id }) => {
  await shared('passkey', async () => (await wallet()).loginWithPasskey({ id }))
  return undefined
}
