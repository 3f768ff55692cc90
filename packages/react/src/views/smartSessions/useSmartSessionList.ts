import type { SmartSession, SmartSessions } from '@latchkey/core/permissions'
import { useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useSmartSessions } from '../../hooks/useSmartSessions.ts'
import { type TaskState, useAsyncTask } from '../useAsyncTask.ts'
import { useSmartSessionTranslations } from './useSmartSessionTranslations.ts'

/** The return type of `useSmartSessionList`. */
export interface UseSmartSessionListReturnType {
  readonly state: TaskState
  readonly sessions: readonly SmartSession[]
  readonly actions: SmartSessions
  reload(): void
}

/** Fetches this page's sessions when the view mounts. */
export function useSmartSessionList(): UseSmartSessionListReturnType {
  const latchkey = useLatchkey()
  const text = useSmartSessionTranslations()
  const actions = useSmartSessions()
  const [sessions, setSessions] = useState<readonly SmartSession[]>([])
  const { state, retry: reload } = useAsyncTask(async (signal) => {
    try {
      const loaded = await actions.list()
      if (!signal.aborted) setSessions(loaded)
    } catch (error) {
      if (!signal.aborted) latchkey.toast('error', text('sessions.failed'))
      throw error
    }
  })
  return { state, sessions, actions, reload }
}
