import type { LatchkeyOptions } from '@latchkey/core'
import { useEffect, useRef } from 'react'

/** In development, warns once if `options` change, for example on hot reload, because changes only apply after a page reload. */
export function useWarnOptionsChanged(options: LatchkeyOptions | undefined): void {
  const read = useRef({ options, warned: false })
  useEffect(() => {
    try {
      // Bundlers replace this expression, so the block is removed from production builds.
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
      // Without a bundler, `process` is undefined, and there is no hot reloading to warn about.
    }
  }, [options])
}
