import { createLatchkey, type Latchkey, type LatchkeyOptions } from '@latchkey/core'
import { lazyEvm } from './lazyEvm.ts'

/** A Latchkey with nothing said: the EVM wallets of this page, reads through the wallet's own provider. */
export function quickLatchkey(options: LatchkeyOptions = {}): Latchkey {
  if (options.adapters !== undefined) return createLatchkey(options)
  const { adapter, wake } = lazyEvm()
  const latchkey = createLatchkey({ ...options, adapters: [adapter] })
  return {
    ...latchkey,
    start() {
      const stop = latchkey.start()
      // Whoever opens the modal wants wallets, also those that did not announce themselves yet.
      const unsubscribe = latchkey.state.subscribe(() => {
        if (latchkey.state.get().modal.open) wake()
      })
      return () => {
        unsubscribe()
        stop()
      }
    },
  }
}
