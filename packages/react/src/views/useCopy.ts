import { useCallback, useState } from 'react'
import { useClock } from './useClock.ts'

/** How copying went. */
export type Copying = 'idle' | 'copied' | 'failed'

/** How long "copied" is said. */
const saidMs = 2500

/** Copies, and says so only after the clipboard took it. */
export function useCopy(): { readonly copying: Copying; copy(text: string): Promise<Copying> } {
  const clock = useClock()
  const [copying, setCopying] = useState<Copying>('idle')
  const copy = useCallback(
    async (text: string): Promise<Copying> => {
      try {
        await navigator.clipboard.writeText(text)
        setCopying('copied')
        clock.after(saidMs, () => setCopying('idle'))
        return 'copied'
      } catch {
        // No permission, no secure context, or no clipboard at all: the view selects the text instead.
        setCopying('failed')
        return 'failed'
      }
    },
    [clock],
  )
  return { copying, copy }
}
