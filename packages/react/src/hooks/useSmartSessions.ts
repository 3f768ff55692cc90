import { type Latchkey, route } from '@latchkey/core'
import type { SmartSessions } from '@latchkey/core/permissions'
import { useMemo } from 'react'
import { useLatchkey } from './useLatchkey.ts'

/**
 * Manages sessions in which this page can sign without prompts, within limits that the user has approved. Requires
 * `features.smartSessions`. The modal confirms an approval.
 *
 * @example const { context } = await useSmartSessions().grant({ expiry, permissions })
 */
export function useSmartSessions(): SmartSessions {
  const latchkey = useLatchkey()
  return useMemo(() => lazySmartSessions(latchkey), [latchkey])
}

function lazySmartSessions(latchkey: Latchkey): SmartSessions {
  // Loaded on demand, because most pages never need it.
  const load = async () => (await import('@latchkey/core/permissions')).smartSessions(latchkey)
  return {
    async grant(params) {
      const granted = await (await load()).grant(params)
      latchkey.modal.open({ view: route('SmartSessionCreated', { context: granted.context }) })
      return granted
    },
    list: async () => (await load()).list(),
    revoke: async (context) => (await load()).revoke(context),
  }
}
