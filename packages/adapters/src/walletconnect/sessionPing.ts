import type { Clock } from '@latchkey/core/adapter'
import type { Client } from '@latchkey/walletconnect'

/** The time that the wallet has to respond before its session is reported as silent. */
const probeMs = 4_000

/** Returns a function that checks whether a session's wallet responds in time. All namespaces in the session share one ping. */
export function createSessionPing({
  sessions,
  clock,
}: {
  readonly sessions: Pick<Client['sessions'], 'ping'>
  readonly clock: Clock
}): (topic: string) => Promise<boolean> {
  const probes = new Map<string, Promise<boolean>>()

  const ping = async (topic: string): Promise<boolean> => {
    const controller = new AbortController()
    const cancel = clock.after(probeMs, () => controller.abort())
    try {
      return await sessions.ping(topic, { signal: controller.signal })
    } catch {
      return false
    } finally {
      cancel()
    }
  }

  return (topic) => {
    const probe = probes.get(topic) ?? ping(topic).finally(() => probes.delete(topic))
    probes.set(topic, probe)
    return probe
  }
}
