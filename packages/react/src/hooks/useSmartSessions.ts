import { type Latchkey, route } from '@latchkey/core'
import type { SmartSessions } from '@latchkey/core/permissions'
import { useMemo } from 'react'
import { useLatchkey } from './useLatchkey.ts'

/**
 * Returns functions for managing smart sessions, in which this page can sign without prompts, within limits that the user has
 * approved. Requires the option `features.smartSessions`. When a session has been granted, the modal opens to confirm it.
 *
 * @example const { context } = await useSmartSessions().grant({ expiry, permissions })
 */
export function useSmartSessions(): SmartSessions {
  const latchkey = useLatchkey()
  return useMemo(() => lazySmartSessions(latchkey), [latchkey])
}

function lazySmartSessions(latchkey: Latchkey): SmartSessions {
  // The module is loaded on demand, because most pages do not need it.
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
