import type { ConnectorContext } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { type Channel, createChannel } from '@latchkey/protocol/frame/channel'
import type { EmbeddedOptions } from './embeddedOptions.ts'
import { createFrameDialog } from './frameDialog.ts'
import type { FrameHandle } from './frameHandle.ts'
import { frameUrl } from './frameUrl.ts'
import { mountFrame } from './mountFrame.ts'
import { createRequests, type Requests } from './walletRequests.ts'
import { type FrameStartup, type FrameStartupFailure, watchFrameStartup } from './watchFrameStartup.ts'

/** A mounted frame. */
export interface MountedFrame {
  readonly channel: Channel
  readonly requests: Requests
  readonly startup: FrameStartup
}

/** The embedded wallet's frame, which all chain families share. */
export interface EmbeddedFrame {
  /** Returns the frame if it has been mounted. */
  mounted(): MountedFrame | undefined
  isClosed(): boolean
  /** Mounts the frame on first use. Throws after `close()`. */
  mount(): MountedFrame
  /** Whether the frame has announced `capability` in READY. */
  can(capability: string): boolean
  /** Shows the frame. Calls `dismissed` when the user closes the frame. Returns a function that hides the frame. */
  show(dismissed: () => void): () => void
  /** Calls `listener` if the frame takes too long to load. Returns a function that unsubscribes. */
  onLate(listener: () => void): () => void
  close(): void
}

/** Creates the embedded wallet's frame without mounting it. */
export function createEmbeddedFrame({
  options,
  host,
  rpcUrl,
}: {
  readonly options: EmbeddedOptions
  readonly host: ConnectorContext
  /** Returns the page's RPC URL for `chain`. */
  rpcUrl(chain: ChainId): string | undefined
}): EmbeddedFrame {
  const { clock, report } = host
  let mounted: (MountedFrame & { readonly place: FrameHandle }) | undefined
  let isClosed = false
  let isReported = false
  const lateListeners = new Set<() => void>()

  const frame = () => {
    if (isClosed) throw failure('frame/no-iframe')
    mounted ??= mount()
    return mounted
  }
  const dialog = createFrameDialog({ place: () => frame().place, host })

  function mount() {
    const { projectId = host.dapp().projectId, title = 'Wallet', closeLabel = 'Cancel the request' } = options
    const url = frameUrl({ options, network: host.network(), projectId })
    const place = (options.place ?? mountFrame)({
      url,
      title,
      closeLabel,
      failed: (policy) => startup.blocked(policy),
      loaded: () => startup.loaded(),
    })
    const channel = createChannel({
      transport: place.transport,
      clock,
      report,
      ...(options.loadTimeoutMs !== undefined && { loadTimeoutMs: options.loadTimeoutMs }),
      ...(options.requestTimeoutMs !== undefined && { requestTimeoutMs: options.requestTimeoutMs }),
    })
    const requests = createRequests({
      channel,
      clock,
      show: dialog.showApproval,
      rpcUrl,
      paymaster: options.paymaster,
      refused: (error) => report('rpc_not_allowed', error),
    })
    const startup = watchFrameStartup({
      clock,
      isReady: () => channel.readyPayload !== undefined,
      reload: () => place.reload(),
      failed(symptom, error) {
        // Reject pending requests immediately.
        channel.fail(error)
        if (!isReported) report('iframe_load_failed', error)
        logReason(url, symptom)
      },
      // A slow frame is not a failure, and probing it would violate a strict CSP of the page, so only notify the user.
      late() {
        host.log.info(`The embedded wallet at ${new URL(url).origin} has not started yet.`)
        for (const listener of [...lateListeners]) listener()
      },
      // The channel rejects the pending requests.
      timedOut: (symptom) => logReason(url, symptom),
    })
    channel.onReady(({ version, socials }) => {
      if (startup.ready(version) && socials) host.socials(socials)
    })
    return { place, channel, requests, startup }
  }

  /** Logs for the page's developer, at most once, why the frame did not start. */
  function logReason(url: string, symptom: FrameStartupFailure): void {
    if (isReported) return
    isReported = true
    import('./diagnoseFrame.ts')
      .then((part) => part.logDiagnosis({ url, ...symptom }, host))
      .catch(() => host.log.error('The key frame did not start.'))
  }

  return {
    mounted: () => mounted,
    isClosed: () => isClosed,
    mount: frame,
    can: (capability) => mounted?.channel.readyPayload?.capabilities?.includes(capability) ?? false,
    show: dialog.show,
    onLate(listener) {
      lateListeners.add(listener)
      return () => lateListeners.delete(listener)
    },
    close() {
      isClosed = true
      mounted?.startup.stop()
      mounted?.requests.stop()
      mounted?.channel.close()
      mounted?.place.remove()
    },
  }
}
