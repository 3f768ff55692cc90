import type { Clock } from '@latchkey/protocol/clock'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { minSearchMs, searchPageSize } from '@latchkey/protocol/specificationConstants'
import { abortable } from '../lib/abortable.ts'
import { delay } from '../lib/delay.ts'
import type { Store } from '../lib/store.ts'
import type { DirectoryRequests } from './directoryRequests.ts'
import type { Directory, DirectoryState } from './directoryTypes.ts'

/** The search before any text was entered. */
export const emptySearch: DirectoryState['search'] = { text: '', result: { status: 'idle' } }

/** Creates the directory search. Manages the `search` slice. */
export function createWalletSearch(dependencies: {
  readonly state: Store<DirectoryState['search']>
  readonly request: DirectoryRequests['wallets']
  readonly clock: Clock
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  usable(wallets: readonly Wallet[]): readonly Wallet[]
  preload(wallets: readonly Wallet[]): Promise<void>
  /** Called when the result of a search is displayed. */
  searched(text: string, badge: string | undefined): void
}): Pick<Directory, 'search' | 'stop'> {
  const { state, clock } = dependencies
  let current = new AbortController()
  let stopped = false

  return {
    async search(typed, { badge } = {}) {
      const text = typed.trim()
      current.abort()
      current = new AbortController()
      const { signal } = current
      if (!text && !badge) return state.set(emptySearch)
      state.set({ text, result: { status: 'loading' } })
      const minDelay = delay({ clock, ms: minSearchMs })
      const show = (result: DirectoryState['search']['result']) => {
        // Ignore responses to earlier searches.
        if (!signal.aborted && !stopped) state.set({ text, result })
      }
      try {
        const { include, exclude } = dependencies
        const query = { page: 1, entries: searchPageSize, search: text, badge_type: badge, include, exclude }
        const { data } = await dependencies.request(query, signal)
        const wallets = dependencies.usable(data)
        await abortable(Promise.all([minDelay, dependencies.preload(wallets)]), signal)
        show({ status: 'ready', value: wallets })
        dependencies.searched(text, badge)
      } catch (error) {
        if (signal.aborted) return
        await minDelay
        show({ status: 'failed', error: toLatchkeyError(error) })
      }
    },
    stop() {
      stopped = true
      current.abort()
    },
  }
}
