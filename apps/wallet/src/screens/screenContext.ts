import type { Environment } from '../environment.ts'
import type { Wallet } from '../wallet.ts'

/** Where the visitor is, when nothing waits for an answer. */
export type View =
  | { readonly name: 'home' }
  | { readonly name: 'connect' }
  | { readonly name: 'keys' }
  | { readonly name: 'connection'; readonly topic: string }

/** What every screen may use. */
export interface ScreenContext {
  readonly wallet: Wallet
  readonly world: Environment
  readonly window: Window & typeof globalThis
  readonly go: (view: View) => void
}
