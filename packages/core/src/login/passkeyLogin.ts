import { linkedController } from '../lib/abortable.ts'
import type { LoginContext } from './loginContext.ts'

/** Logs in or signs up with a passkey in the wallet's own window, and connects. Cancelled if `cancelled` aborts. */
export async function logInWithPasskey(context: LoginContext, cancelled?: AbortSignal): Promise<void> {
  if (context.store.get().busy === 'passkey' || !context.supportsNetwork()) return
  const controller = linkedController(context.signal)
  const { signal } = controller
  const stop = () => controller.abort()
  cancelled?.addEventListener('abort', stop, { once: true })
  await context
    .run(
      'passkey',
      async () => {
        const wallet = await context.wallet()
        await context.awaitFrame(wallet, signal)
        await wallet.connectPasskey({ signal })
        await context.connectEmbeddedAccount()
      },
      () => 'nowhere',
    )
    .finally(() => cancelled?.removeEventListener('abort', stop))
}
