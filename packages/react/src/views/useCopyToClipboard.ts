import { useCallback, useState } from 'react'
import { useClock } from './useClock.ts'

/** The status of copying text to the clipboard. */
export type CopyStatus = 'idle' | 'copied' | 'failed'

/** How long the "copied" status lasts. */
const copiedStatusMs = 2500

/** Returns a function that copies text to the clipboard, and the status, which is `copied` only after a success. */
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
        // Copying fails without permission, a secure context or the Clipboard API. Views show or select the text instead.
        setStatus('failed')
        return 'failed'
      }
    },
    [clock],
  )
  return { status, copy }
}
