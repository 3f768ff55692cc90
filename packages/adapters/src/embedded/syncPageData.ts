import type { ConnectorContext } from '@latchkey/core/adapter'
import type { EmbeddedFrame, MountedFrame } from './embeddedFrame.ts'
import type { EmbeddedOptions } from './embeddedOptions.ts'
import { unlessFrameAborted } from './unlessFrameAborted.ts'

/** How long to wait for the frame in each optional step. The protocol does not define a timeout. */
const syncMs = 5_000

/** Exchanges data with the frame before the first login. */
export interface PageDataSync {
  /** Resolves once the setup is done. It runs again only if it fails. Calls `late` if the frame takes too long to load. */
  done(signal?: AbortSignal, late?: () => void): Promise<void>
  stop(): void
}

/** Creates the setup, which sends the page's data and theme to the frame and stores the smart account networks. */
export function createPageDataSync({
  frame,
  host,
  projectId,
}: {
  readonly frame: Pick<EmbeddedFrame, 'mount' | 'mounted' | 'onLate'>
  readonly host: Pick<ConnectorContext, 'clock' | 'dapp' | 'log' | 'onTheme' | 'records' | 'theme'>
  /** The frame's project ID, if it differs from the page's. */
  readonly projectId: EmbeddedOptions['projectId']
}): PageDataSync {
  const { clock, log, records } = host
  let started: Promise<void> | undefined

  const stopFollowing = host.onTheme(() => {
    // There is no frame to notify before the first login. The setup sends the theme.
    if (started) frame.mounted()?.channel.notify('SYNC_THEME', host.theme())
  })

  const setUp = async ({ channel, startup }: MountedFrame): Promise<void> => {
    startup.assertCompatible()
    await channel.settled()
    startup.assertCompatible()
    const dapp = host.dapp()
    await optional(
      'SYNC_DAPP_DATA',
      channel.ask('SYNC_DAPP_DATA', projectId === undefined ? dapp : { ...dapp, projectId }),
    )
    channel.notify('SYNC_THEME', host.theme())
    const networks = channel.ask('GET_SMART_ACCOUNT_ENABLED_NETWORKS', undefined)
    // If the request fails, the stored list stays empty and the login continues (R4.19).
    records.smartAccountNetworks.set([])
    await optional(
      'GET_SMART_ACCOUNT_ENABLED_NETWORKS',
      networks.then(({ smartAccountEnabledNetworks }) =>
        records.smartAccountNetworks.set(smartAccountEnabledNetworks.map(String)),
      ),
    )
  }

  /** Waits for an optional step, but only for a limited time, so that an unresponsive frame does not block the login. */
  const optional = (name: string, step: Promise<unknown>): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(syncMs, () => {
        log.warn(`The frame did not respond to ${name}`)
        resolve()
      })
      step
        .catch((error: unknown) => log.warn(`The frame rejected ${name}`, error))
        .finally(() => {
          cancel()
          resolve()
        })
    })

  return {
    done(signal, late) {
      const mounted = frame.mount()
      mounted.startup.retry()
      const stopWaiting = late && frame.onLate(late)
      started ??= setUp(mounted)
      const current = started
      // Allow another attempt if the frame did not load.
      current.catch(() => {
        if (started === current) started = undefined
      })
      const done = unlessFrameAborted(current, signal)
      return stopWaiting ? done.finally(stopWaiting) : done
    },
    stop: stopFollowing,
  }
}
