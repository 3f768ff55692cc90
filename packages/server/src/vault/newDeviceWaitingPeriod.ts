import * as v from 'valibot'
import { createChallengeStore } from '../login/challengeStore.ts'
import type { Vault } from './vaultServices.ts'

/** How long an elapsed waiting period is remembered, so that a later request does not start a new one. */
const rememberedMs = 24 * 60 * 60_000

/** A new device: a browser that is new to an account. */
interface NewDevice {
  readonly userId: string
  readonly browser: string
}

/**
 * The waiting period of new devices, during which only one of the owner's keys can approve them. It starts with the first request
 * of a browser and continues when that request has expired.
 */
export interface NewDeviceWaitingPeriod {
  /** Starts the period, unless it has started already. Resolves to its end if it has just started. */
  start(device: NewDevice): Promise<number | undefined>
  /** The end of the device's waiting period, or `undefined` if it is over. */
  heldUntil(device: NewDevice): Promise<number | undefined>
  /** Forgets the period: the device has to start it again. */
  reset(device: NewDevice): Promise<void>
}

/** Waiting periods stored in a database. */
export function createNewDeviceWaitingPeriod({
  connection,
  digest,
  now,
  policy: { deviceHoldMs },
}: Pick<Vault, 'connection' | 'digest' | 'now' | 'policy'>): NewDeviceWaitingPeriod {
  const periods = createChallengeStore({
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
      // A device without a record has not started to wait.
      const until = (await periods.find(keyOf(device)))?.data.until ?? now() + deviceHoldMs
      return until > now() ? until : undefined
    },
    reset: (device) => periods.drop(keyOf(device)),
  }
}
