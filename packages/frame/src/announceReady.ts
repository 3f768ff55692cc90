import { custodyOf, type FrameConfig } from './frameConfig.ts'
import type { MessageBridge } from './messageBridge.ts'
import { supportsPasskeys } from './supportsPasskeys.ts'

/** Maximum time that READY waits for the server's configuration. */
const readyTimeoutMs = 2_000
/** The version of the wire protocol. */
const wireVersion = '4'

/** Sends READY to the page, with what the operator's configuration allows. Without a configuration, with the basic capabilities only. */
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
  // On a cross-site page, CONNECT_WINDOW is the only login.
  const ready = { version: wireVersion, capabilities: ['port', ...(isCrossSite ? ['window'] : [])] }
  // A hanging server must not block the page: each request then fails on its own.
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
    // Each request reports the server's error itself.
    () => bridge.sayReady(ready),
  )
}
