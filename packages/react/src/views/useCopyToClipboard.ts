import { useCallback, useState } from 'react'
import { useClock } from './useClock.ts'

/** The status of copying. */
export type CopyStatus = 'idle' | 'copied' | 'failed'

/** How long the "copied" status lasts. */
const copiedStatusMs = 2500

/** Copies text to the clipboard. Reports success only after the clipboard has accepted it. */
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
        // No permission, no secure context, or no clipboard API. The view selects the text instead.
        setStatus('failed')
        return 'failed'
      }
    },
    [clock],
  )
  return { status, copy }
}
