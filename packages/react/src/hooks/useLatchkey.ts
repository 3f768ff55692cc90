import type { Latchkey } from '@latchkey/core'
import { useContext } from 'react'
import { LatchkeyContext } from '../LatchkeyContext.ts'

/**
 * Returns the instance from the nearest `LatchkeyProvider`.
 * @throws an `Error` if there is no `LatchkeyProvider` above the component.
 *
 * @example
 * const latchkey = useLatchkey()
 * useEffect(() => latchkey.on('connect', ({ account }) => console.log(account)), [latchkey])
 */
export function useLatchkey(): Latchkey {
  const latchkey = useContext(LatchkeyContext)
  if (!latchkey) throw new Error('Missing <LatchkeyProvider>.')
  return latchkey
}
