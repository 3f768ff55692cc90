import type { LatchkeyOptions } from '@latchkey/core'
import { useEffect, useRef } from 'react'

/** In development: warns once on the console that changed `options`, as after a hot reload, only take effect after a page reload. */
export function useWarnOptionsChanged(options: LatchkeyOptions | undefined): void {
  const read = useRef({ options, warned: false })
  useEffect(() => {
    try {
      // Bundlers replace this expression, and drop the block from production builds.
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
      // Without a bundler there is no `process`, and no hot reload.
    }
  }, [options])
}
