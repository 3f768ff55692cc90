import { createLatchkey, type Latchkey, type LatchkeyOptions } from '@latchkey/core'
import { lazyEvmAdapter } from './lazyEvmAdapter.ts'

/** Creates an instance with default options: the EVM wallets of this browser, with reads through the wallet's own provider. */
export function createEvmLatchkey(options: LatchkeyOptions = {}): Latchkey {
  if (options.adapters !== undefined) return createLatchkey(options)
  const { adapter, load } = lazyEvmAdapter()
  const latchkey = createLatchkey({ ...options, adapters: [adapter] })
  return {
    ...latchkey,
    start() {
      const stop = latchkey.start()
      // An open modal needs all wallets, including those that have not announced themselves yet.
      const unsubscribe = latchkey.state.subscribe(() => {
        if (latchkey.state.get().modal.open) load()
      })
      return () => {
        unsubscribe()
        stop()
      }
    },
  }
}
