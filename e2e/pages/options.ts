import { embedded } from '@latchkey/adapters/embedded'
import { evm } from '@latchkey/adapters/evm'
import { walletConnect } from '@latchkey/adapters/walletconnect'
import type { LatchkeyOptions } from '@latchkey/core'
import type { Chain } from 'viem'

/** What the pages need of `/world.json`. */
export interface PageWorld {
  readonly connect: string
  readonly relay: string
  readonly projectId: string
  readonly chains: readonly [Chain, Chain]
}

/**
 * The options of every page: the world's chains and server, and what the address bar adds as JSON in `?options=`, with an embedded wallet
 * whose frame is at `?frame=`, and with WalletConnect where `?relay` stands.
 */
export function optionsFor(world: PageWorld): LatchkeyOptions {
  const asked = new URLSearchParams(location.search)
  const [given, frame] = [asked.get('options'), asked.get('frame')]
  return {
    app: { name: 'Host page' },
    server: world.connect,
    projectId: world.projectId,
    adapters: [evm({ chains: world.chains })],
    wallets: [
      ...(frame ? [embedded({ url: frame })] : []),
      ...(asked.has('relay') ? [walletConnect({ relay: world.relay, projectId: world.projectId })] : []),
    ],
    ...(given ? (JSON.parse(given) as LatchkeyOptions) : {}),
  }
}
