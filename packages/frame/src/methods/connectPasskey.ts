import type { Method } from '../frameContext.ts'

/** Logs in and opens the wallet with a passkey, or creates one, on a screen of the frame. */
export const connectPasskey: Method<'CONNECT_PASSKEY'> = async (context, _says, { id }) => {
  const { wallet, shared } = context
  // Tracked from the start, so that it is never displayed if the page aborts it during preparation.
  await context.approvals.track(id, (approvals) =>
    shared('passkey', async () => (await wallet()).loginWithPasskey({ id, approvals })),
  )
  return undefined
}
