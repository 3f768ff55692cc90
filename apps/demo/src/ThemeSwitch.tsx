import { useLatchkey } from '@latchkey/react'
import { type ReactNode, useState } from 'react'

const modes = ['system', 'light', 'dark'] as const

/** Switches the page and the modal between light, dark and the system's color scheme. */
export function ThemeSwitch(): ReactNode {
  const latchkey = useLatchkey()
  const [mode, setMode] = useState<(typeof modes)[number]>('system')
  const next = modes[(modes.indexOf(mode) + 1) % modes.length] ?? 'system'
  return (
    <button
      type="button"
      className="theme"
      aria-label={`Theme: ${mode}. Change to ${next}.`}
      onClick={() => {
        setMode(next)
        document.documentElement.dataset.theme = next
        latchkey.setTheme({ mode: next })
      }}
    >
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <circle cx="12" cy="12" r="8" fill="none" stroke="currentColor" strokeWidth="2" />
        {mode === 'system' && <path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />}
        {mode === 'dark' && <circle cx="12" cy="12" r="8" fill="currentColor" />}
      </svg>
    </button>
  )
}
