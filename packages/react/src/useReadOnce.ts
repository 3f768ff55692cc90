import type { LatchkeyOptions } from '@latchkey/core'
import { useEffect, useRef } from 'react'

/** In development: says once on the console that changed `options`, which hot reloading brings, wait for a reload of the page. */
export function useReadOnce(options: LatchkeyOptions | undefined): void {
  const read = useRef({ options, isTold: false })
  useEffect(() => {
    try {
      // Bundlers put a text in its place, and leave all of this out of a production build.
      if (process.env.NODE_ENV !== 'production') {
        const { current } = read
        if (!options || !current.options || current.options === options || current.isTold) return
        const first = current.options
        import('./optionsChanged.ts').then(
          ({ tellChanged }) => {
            current.isTold ||= tellChanged(first, options)
          },
          () => undefined,
        )
      }
    } catch {
      // Nothing is bundled here, so there is no `process`, and nothing is reloaded hot.
    }
  }, [options])
}
