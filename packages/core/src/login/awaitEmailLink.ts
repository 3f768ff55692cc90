import { isLatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { delay } from '../lib/delay.ts'
import { isOutage } from './emailErrors.ts'
import type { LoginContext } from './loginContext.ts'

/** The lifetime of an emailed link, after which waiting ends. */
const linkLifeMs = 600_000

/** The delay before the device approval is requested again after an outage. */
const retryMs = 5_000

/** Waits until the user opens the emailed link, then opens the view that follows. Returns a function that stops waiting. */
export function awaitEmailLink(context: LoginContext): () => void {
  const { store, patch, navigation } = context
  const controller = new AbortController()
  const stop = () => controller.abort()
  context.signal.addEventListener('abort', stop, { once: true })
  const { email = '' } = store.get()
  patch({ busy: 'device' })
  isDeviceApproved(context, controller.signal)
    .then((isApproved) => {
      if (isApproved) navigation.follow({ type: 'device-approved', email })
      else if (isApproved === false) navigation.follow({ type: 'device-not-approved' })
    })
    .catch((error: unknown) => context.log.warn('Waiting for the other device failed', error))
    .finally(() => {
      context.signal.removeEventListener('abort', stop)
      if (store.get().busy === 'device') patch({ busy: undefined })
    })
  return stop
}

/**
 * Requests the approval repeatedly until the link expires, because each request times out after 30 seconds and users often need
 * longer. Resolves to whether the device was approved, or to `undefined` if `signal` aborts.
 */
async function isDeviceApproved(
  { wallet: loadWallet, clock, records, track }: LoginContext,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const wallet = await loadWallet()
  for (let until = clock.now() + linkLifeMs; clock.now() < until; ) {
    try {
      await wallet.request('CONNECT_DEVICE', undefined, { signal, quiet: true })
      track({ event: 'DEVICE_REGISTERED_FOR_EMAIL' })
      track({ event: 'EMAIL_VERIFICATION_CODE_SENT' })
      return true
    } catch (error) {
      if (signal.aborted) return undefined
      if (!isOutage(toLatchkeyError(error))) return false
      // A temporary outage does not mean that the link was rejected.
      if (!isLatchkeyError(error, 'frame/timeout')) await delay({ clock, ms: retryMs, signal })
      if (signal.aborted) return undefined
    }
    // If the email has been resent, wait until the new link expires.
    const sent = records.lastEmailLoginTime.get()
    if (sent !== undefined && sent <= clock.now()) until = Math.max(until, sent + linkLifeMs)
  }
  return false
}
