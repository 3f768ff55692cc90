import { useCallback, useState } from 'react'
import { useClock } from './useClock.ts'

/** How copying went. */
export type CopyStatus = 'idle' | 'copied' | 'failed'

/** How long "copied" is said. */
const copiedStatusMs = 2500

/** Copies, and says so only after the clipboard took it. */
export function useCopyToClipboard(): { readonly status: CopyStatus; copy(text: string): Promise<CopyStatus> } {
  const clock = useClock()
  const [status, setStatus] = useState<CopyStatus>('idle')
  const copy = useCallback(
    async (text: string): Promise<CopyStatus> => {
      try {
        await navigator.clipboard.writeText(text)
        setStatus('copied')
        clock.after(copiedStatusMs, () => setStatus('idle'))
        return 'copied'
      } catch {
        // No permission, no secure context, or no clipboard at all: the view selects the text instead.
        setStatus('failed')
        return 'failed'
      }
    },
    [clock],
  )
  return { status, copy }
}
