import type { Latchkey } from '@latchkey/core'
import { useContext } from 'react'
import { LatchkeyContext } from '../LatchkeyContext.ts'

/** Returns the instance of the nearest `LatchkeyProvider`. */
export function useLatchkey(): Latchkey {
  const latchkey = useContext(LatchkeyContext)
  if (!latchkey) throw new Error('Missing <LatchkeyProvider>.')
  return latchkey
}
