// These modules are otherwise imported lazily. They are imported here so that tests do not have to wait for them.
import '../packages/core/src/account/balanceAndIdentity.ts'
import '../packages/core/src/latchkeyRuntime.ts'
import '../packages/core/src/runtime/connectionRuntime.ts'
import '../packages/core/src/analytics/analyticsClient.ts'
import '../packages/core/src/runtime/walletDirectory.ts'
import { createLatchkey } from '../packages/core/src/createLatchkey.ts'
import type { Latchkey } from '../packages/core/src/latchkeyTypes.ts'
import type { LatchkeyOptions } from '../packages/core/src/options.ts'
import {
  type FakeAdapter,
  type FakeClock,
  type FakeConnector,
  type FakeFetch,
  fakeAdapter,
  fakeClock,
  fakeConnector,
  fakeFetch,
  type MemoryStorage,
  memoryStorage,
} from '../packages/core/src/testing/index.ts'

/** A page with one EVM wallet, a fake clock and in-memory storage. */
export interface Page {
  readonly latchkey: Latchkey
  readonly clock: FakeClock
  readonly storage: MemoryStorage
  readonly server: FakeFetch
  readonly evm: FakeAdapter<'eip155'>
  readonly wallet: FakeConnector<'eip155'>
  /** Connects the wallet. */
  connect(): Promise<void>
  stop(): void
}

/** Creates and starts a page. `options` overrides the default options. */
export async function openPage(
  options: LatchkeyOptions = {},
  parts: { wallet?: FakeConnector<'eip155'>; stored?: Record<string, string>; server?: FakeFetch } = {},
): Promise<Page> {
  const clock = fakeClock()
  const storage = memoryStorage(parts.stored)
  const server = parts.server ?? fakeFetch({})
  const wallet = parts.wallet ?? fakeConnector({ id: 'io.example', rdns: 'io.example', name: 'Example' })
  const evm = fakeAdapter({ wallets: [wallet] })
  const latchkey = createLatchkey({
    adapters: [evm],
    clock,
    storage,
    fetch: server.fetch,
    platform: 'desktop',
    logLevel: 'silent',
    ...options,
  })
  const stop = latchkey.start()
  await latchkey.prepare()
  return {
    latchkey,
    clock,
    storage,
    server,
    evm,
    wallet,
    stop,
    async connect() {
      await latchkey.connect({ connectorId: wallet.id })
      await clock.pass(0)
    },
  }
}

/** Returns the names of the views in the modal's stack. */
export function viewsOf(latchkey: Latchkey): readonly string[] {
  return latchkey.state.get().modal.stack.map(({ view }) => view)
}
