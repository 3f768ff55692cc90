import type { LatchkeyOptions } from '@latchkey/core'
import { useEffect, useRef } from 'react'

/** In development, warns once that a change of `options`, such as after a hot reload, only takes effect after a page reload. */
export function useWarnOptionsChanged(options: LatchkeyOptions | undefined): void {
  const read = useRef({ options, warned: false })
  useEffect(() => {
    try {
      // Bundlers replace this expression and remove the block from production builds.
      if (process.env.NODE_ENV !== 'production') {
        const { current } = read
        if (!options || !current.options || current.options === options || current.warned) return
        const first = current.options
        import('./warnOptionsChanged.ts').then(
          ({ warnOptionsChanged }) => {
            current.warned ||= warnOptionsChanged(first, options)
          },
          () => undefined,
        )
      }
    } catch {
      // Without a bundler, neither `process` nor hot reloading is available.
    }
  }, [options])
}
