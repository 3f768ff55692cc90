import type { Latchkey } from '@latchkey/core'
import { type Context, createContext } from 'react'

/** The context that provides the Latchkey instance. This file only imports React and a type, so any other file can import it. */
export const LatchkeyContext: Context<Latchkey | undefined> = createContext<Latchkey | undefined>(undefined)
