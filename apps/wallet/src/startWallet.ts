import { systemClock } from '@latchkey/protocol/clock'
import { browserStorage, createClient, type Metadata } from '@latchkey/walletconnect'
import { createVerifier } from '@latchkey/walletconnect/verify'
import type { Environment } from './environment.ts'
import { accountsOf, readKeys, type Source } from './keys.ts'
import { askOver } from './networks.ts'
import { createWallet, type Wallet } from './wallet.ts'

/** The name of the storage for keys, settings and pending requests. Sessions are stored separately. */
export const walletStorageName = 'latchkey-test-wallet'

/** Starts a wallet that uses the relay in `world` and the keys in `source`. */
export async function startWallet({
  world,
  source,
  window,
}: {
  readonly world: Environment
  readonly source: Source
  readonly window: Window & typeof globalThis
}): Promise<Wallet> {
  const { origin } = window.location
  const records = browserStorage(walletStorageName)
  const metadata: Metadata = {
    name: 'Latchkey Test Wallet',
    description: 'A small web wallet for development.',
    url: origin,
    icons: [`${origin}/wallet.svg`],
    // Pages append a path to this URL. The fragment ensures that browsers do not send the path to a server.
    redirect: { universal: `${origin}/#/` },
  }
  let wallet: Wallet | undefined
  const client = await createClient({
    metadata,
    relay: world.relay,
    projectId: world.projectId,
    onStateChange: (state, error) => wallet?.relayChanged(state, error),
  })
  const [first, ...others] = accountsOf(source, world.testKeys)
  if (!first) throw new Error('No test keys are configured for this environment.')
  wallet = await createWallet({
    client,
    records,
    accounts: [first, ...others],
    networks: world.networks,
    ask: askOver(window.fetch.bind(window)),
    verifier: createVerifier({ verify: world.verify, fetch: window.fetch.bind(window) }),
    clock: systemClock,
  })
  const chosen = await records.get('account')
  const account = wallet.get().accounts.find(({ evm }) => evm.address === chosen)
  if (account) wallet.choose(account)
  return wallet
}

/** Loads the stored key source. */
export function loadKeys(): Promise<Source | undefined> {
  return readKeys(browserStorage(walletStorageName))
}
