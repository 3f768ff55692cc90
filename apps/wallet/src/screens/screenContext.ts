import type { Environment } from '../environment.ts'
import type { Wallet } from '../wallet.ts'

/** The current screen when no request is pending. */
export type View =
  | { readonly name: 'home' }
  | { readonly name: 'connect' }
  | { readonly name: 'keys' }
  | { readonly name: 'connection'; readonly topic: string }

/** Props shared by all screens. */
export interface ScreenContext {
  readonly wallet: Wallet
  readonly world: Environment
  readonly window: Window & typeof globalThis
  readonly go: (view: View) => void
}
