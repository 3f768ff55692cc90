import type { Latchkey } from '@latchkey/core'
import { type Context, createContext } from 'react'

/** The instance of the nearest provider. Imports nothing but React and a type, so that any file may import it. */
export const LatchkeyContext: Context<Latchkey | undefined> = createContext<Latchkey | undefined>(undefined)
