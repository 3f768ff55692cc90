import type { Latchkey } from '@latchkey/core'
import { type Context, createContext } from 'react'

/** The instance in force. A leaf: it imports React and a type. */
export const LatchkeyContext: Context<Latchkey | undefined> = createContext<Latchkey | undefined>(undefined)
