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
  return useMemo(() => sessionsOf(latchkey), [latchkey])
}

function sessionsOf(latchkey: Latchkey): SmartSessions {
  // Most pages never need it.
  const found = async () => (await import('@latchkey/core/permissions')).smartSessions(latchkey)
  return {
    async grant(asked) {
      const given = await (await found()).grant(asked)
      latchkey.modal.open({ view: route('SmartSessionCreated', { context: given.context }) })
      return given
    },
    list: async () => (await found()).list(),
    revoke: async (context) => (await found()).revoke(context),
  }
}
