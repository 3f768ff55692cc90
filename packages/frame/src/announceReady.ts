import { custodyOf, type FrameConfig } from './frameConfig.ts'
import type { MessageBridge } from './messageBridge.ts'
import { supportsPasskeys } from './wallet/supportsPasskeys.ts'

/** The maximum time to wait for the server's configuration before READY is sent, in milliseconds. */
const readyTimeoutMs = 2_000
/** The version of the wire protocol. */
const wireVersion = '4'

/**
 * Sends READY to the page, with the capabilities that the operator's configuration allows. If the configuration cannot be loaded,
 * READY contains only the basic capabilities.
 */
export function announceReady({
  window,
  bridge,
  config,
  isCrossSite,
}: {
  readonly window: Window & typeof globalThis
  readonly bridge: Pick<MessageBridge, 'sayReady'>
  readonly config: Pick<FrameConfig, 'load'>
  readonly isCrossSite: boolean
}): void {
  // On a cross-site page, CONNECT_WINDOW is the only login method.
  const ready = { version: wireVersion, capabilities: isCrossSite ? ['port', 'window'] : ['port'] }
  // A server that hangs must not block the page. In that case, each request fails separately.
  const hangs = new Promise<never>((_, reject) => window.setTimeout(reject, readyTimeoutMs))
  Promise.race([config.load(), hangs]).then(
    ({ passkeys, ...response }) =>
      bridge.sayReady({
        ...ready,
        custody: custodyOf(response),
        socials: [...response.social, ...(response.farcaster ? ['farcaster'] : [])],
        capabilities: [
          ...ready.capabilities,
          'wallet',
          ...(!isCrossSite && passkeys && supportsPasskeys(window) ? ['passkey'] : []),
        ],
      }),
    // Each request reports the server's error separately.
    () => bridge.sayReady(ready),
  )
}
