import * as v from 'valibot'
import { createPendingStepStore } from '../../storage/pendingStepStore.ts'
import type { KeysServices } from '../keysServices.ts'

/** How long the record of an elapsed waiting period is kept, so that a later request does not start a new period. */
const rememberedMs = 24 * 60 * 60_000

/** A browser that is new to an account. */
interface NewDevice {
  readonly userId: string
  readonly browser: string
}

/**
 * The waiting period for new devices, during which only a device that was opened with the owner's key can approve them. The
 * period starts with the first request from a browser, and continues after that request expires.
 */
export interface NewDeviceWaitingPeriod {
  /** Starts the period, unless it has already started. Resolves to its end, or `undefined` if it was not started by this call. */
  start(device: NewDevice): Promise<number | undefined>
  /** Resolves to the end of the device's waiting period, or `undefined` if the period is over. */
  heldUntil(device: NewDevice): Promise<number | undefined>
  /** Deletes the record of the period, so that the device has to wait again. */
  reset(device: NewDevice): Promise<void>
}

/** Creates a store of waiting periods in a database. */
export function createNewDeviceWaitingPeriod({
  connection,
  digest,
  now,
  policy: { deviceHoldMs },
}: Pick<KeysServices, 'connection' | 'digest' | 'now' | 'policy'>): NewDeviceWaitingPeriod {
  const periods = createPendingStepStore({
    connection,
    kind: 'device-wait',
    data: v.object({ until: v.number() }),
    lifetimeMs: deviceHoldMs + rememberedMs,
    now,
  })
  const keyOf = ({ userId, browser }: NewDevice): string => digest('device-wait', `${userId} ${browser}`)

  return {
    start: async (device) => {
      if (deviceHoldMs === 0 || (await periods.find(keyOf(device)))) return undefined
      const until = now() + deviceHoldMs
      await periods.put({ flow: keyOf(device), secret: '', data: { until } })
      return until
    },
    heldUntil: async (device) => {
      if (deviceHoldMs === 0) return undefined
      // A device without a record has not started its waiting period yet.
      const until = (await periods.find(keyOf(device)))?.data.until ?? now() + deviceHoldMs
      return until > now() ? until : undefined
    },
    reset: (device) => periods.drop(keyOf(device)),
  }
}
