import { type Latchkey, route } from '@latchkey/core'
import type { SmartSessions } from '@latchkey/core/permissions'
import { useMemo } from 'react'
import { useLatchkey } from './useLatchkey.ts'

/**
 * Sessions in which this page signs without prompts, within limits that its visitor has agreed to. Needs `features.smartSessions`. What was
 * agreed to is confirmed in the modal.
 *
 * @example const { context } = await useSmartSessions().grant({ expiry, permissions })
 */
export function useSmartSessions(): SmartSessions {
  const latchkey = useLatchkey()
  return useMemo(() => lazySmartSessions(latchkey), [latchkey])
}

function lazySmartSessions(latchkey: Latchkey): SmartSessions {
  // Most pages never need it.
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
