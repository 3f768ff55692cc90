import { embedded } from '@latchkey/adapters/embedded'
import { evm } from '@latchkey/adapters/evm'
import { createLatchkey } from '@latchkey/core'
import type { EmbeddedWalletClient } from '@latchkey/core/adapter'
import { defineChain } from 'viem'

// A host page without UI. Tests inspect its store and its connection to the key frame while other windows attack them.

const { keys, connect, node } = (await (await fetch('/environment.json')).json()) as Record<
  'keys' | 'connect' | 'node',
  string
>
const bridge = embedded({ url: `${keys}/${new URLSearchParams(location.search).get('frame') ?? 'sdk'}` })
const chain = defineChain({
  id: 31337,
  name: 'Bakery Chain',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [node] } },
})
const latchkey = createLatchkey({
  app: { name: 'Attacked' },
  server: connect,
  adapters: [evm({ chains: [chain] })],
  wallets: [bridge],
  features: { analytics: false },
})
latchkey.start()
await latchkey.prepare()
const wallet = (await bridge.wallet?.()) as EmbeddedWalletClient

const fuzz = {
  initialised: () => wallet.initialised(),
  async begin(email: string) {
    await wallet.initialised()
    return wallet.request('CONNECT_EMAIL', { email })
  },
  async finish(otp: string) {
    await wallet.request('CONNECT_OTP', { otp })
    await latchkey.connect({ connectorId: 'ID_AUTH' })
    return latchkey.account('eip155').address
  },
  /** Sends a valid request, and resolves to whether the response is correct. */
  async ask(at: number) {
    if (at % 3 === 0) return (await wallet.request('IS_CONNECTED', undefined)).isConnected
    if (at % 3 === 1) return (await wallet.request('GET_CHAIN_ID', undefined)).chainId === 31337
    return (await wallet.request('RPC_REQUEST', { method: 'eth_chainId', chainId: 31337 })) === '0x7a69'
  },
  /** Returns the store's state as JSON. */
  state: () =>
    JSON.stringify(latchkey.state.get(), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
}

declare global {
  interface Window {
    fuzz: typeof fuzz
  }
}

window.fuzz = fuzz
