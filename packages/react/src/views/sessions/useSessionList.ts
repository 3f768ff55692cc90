import type { SmartSession, SmartSessions } from '@latchkey/core/permissions'
import { useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useSmartSessions } from '../../hooks/useSmartSessions.ts'
import { useSessionText } from '../../i18n/useSessionText.ts'
import { type Run, useRun } from '../useRun.ts'

/** The sessions of this page, read when the view appears. */
export interface SessionList {
  readonly run: Run
  readonly sessions: readonly SmartSession[]
  readonly deeds: SmartSessions
  again(): void
}

/** Reads them; a failure is told over the view, too. */
export function useSessionList(): SessionList {
  const latchkey = useLatchkey()
  const text = useSessionText()
  const deeds = useSmartSessions()
  const [sessions, setSessions] = useState<readonly SmartSession[]>([])
  const { run, again } = useRun(async (signal) => {
    try {
      const found = await deeds.list()
      if (!signal.aborted) setSessions(found)
    } catch (error) {
      if (!signal.aborted) latchkey.toast('error', text('sessions.failed'))
      throw error
    }
  })
  return { run, sessions, deeds, again }
}
