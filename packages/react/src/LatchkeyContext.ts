import type { Latchkey } from '@latchkey/core'
import { type Context, createContext } from 'react'

/** The context of the nearest provider's instance. Imports only React and a type, so that any file can import it. */
export const LatchkeyContext: Context<Latchkey | undefined> = createContext<Latchkey | undefined>(undefined)
