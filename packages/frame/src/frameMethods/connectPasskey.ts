import type { Method } from '../frameContext.ts'

/** Logs the user in with a passkey and opens the wallet. The screen also lets the user create a passkey. */
export const connectPasskey: Method<'CONNECT_PASSKEY'> = async (context, _says, { id }) => {
  const { wallet, shared } = context
  // The request is tracked from the start, so that it is never displayed if the page aborts it during preparation.
  await context.approvals.track(id, (approvals) =>
    shared('passkey', async () => (await wallet()).loginWithPasskey({ id, approvals })),
  )
  return undefined
}
