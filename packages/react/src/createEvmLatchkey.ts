import { createLatchkey, type Latchkey, type LatchkeyOptions } from '@latchkey/core'
import { lazyEvmAdapter } from './lazyEvmAdapter.ts'

/** Creates an instance that, unless `adapters` is set, supports EVM wallets and reads the chain through the wallet's provider. */
export function createEvmLatchkey(options: LatchkeyOptions = {}): Latchkey {
  if (options.adapters !== undefined) return createLatchkey(options)
  const { adapter, load } = lazyEvmAdapter()
  const latchkey = createLatchkey({ ...options, adapters: [adapter] })
  return {
    ...latchkey,
    start() {
      const stop = latchkey.start()
      // An open modal lists all wallets, including those that have not announced themselves yet, so it needs the adapter.
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
