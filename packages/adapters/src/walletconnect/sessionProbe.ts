import type { Clock } from '@latchkey/core/adapter'
import type { Client } from '@latchkey/walletconnect'

/** Timeout for the wallet to respond before its session is shown as silent. */
const probeMs = 4_000

/** Returns a function that checks whether the wallet of a session responds in time. All namespaces of a session share one ping. */
export function createSessionProbe({
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
