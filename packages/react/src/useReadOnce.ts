import type { LatchkeyOptions } from '@latchkey/core'
import { useEffect, useRef, useState } from 'react'

/** In development: says once on the console that changed `options`, which hot reloading brings, wait for a reload of the page. */
export function useReadOnce(options: LatchkeyOptions | undefined): void {
  const [first] = useState(options)
  const isTold = useRef(false)
  useEffect(() => {
    if (!options || !first || options === first || !isDevelopment()) return
    import('./optionsChanged.ts').then(
      ({ tellChanged }) => {
        isTold.current ||= tellChanged(first, options)
      },
      () => undefined,
    )
  }, [first, options])
}

function isDevelopment(): boolean {
  try {
    // Bundlers put a text in its place; where nothing is bundled there is no `process`.
    return process.env.NODE_ENV !== 'production'
  } catch {
    return false
  }
}
