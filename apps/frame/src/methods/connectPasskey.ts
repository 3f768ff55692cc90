import type { Method } from '../frameContext.ts'

/** Comes in by passkey, or begins with one, on a screen of ours: signs in and opens the wallet in one step. */
export const connectPasskey: Method<'CONNECT_PASSKEY'> = async ({ wallet, shared }, _says, { id }) => {
  await shared('passkey', async () => (await wallet()).loginWithPasskey({ id }))
  return undefined
}
