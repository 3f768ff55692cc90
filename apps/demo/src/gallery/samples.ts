import type { ConnectorInfo, LatchkeyOptions, Network, State } from '@latchkey/core'
import { fakeNetwork, withAccount } from '@latchkey/core/testing'

/** A wallet as the directory describes it. */
export type Wallet = NonNullable<LatchkeyOptions['customWallets']>[number]

/** Creates a wallet image that shows a glyph on a two-color gradient. */
export const picture = (from: string, to: string, glyph: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="40" height="40" fill="url(#g)"/><text x="20" y="27" font-family="sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="#fff">${glyph}</text></svg>`,
  )}`

const announced = (id: string, name: string, icon?: string): ConnectorInfo => ({
  id,
  name,
  type: 'ANNOUNCED',
  namespace: 'eip155',
  rdns: id,
  ...(icon ? { icon } : {}),
})

/** The address of the gallery's fake user. */
export const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'

/** Announced wallets with made-up names. */
export const announcedConnectors: readonly ConnectorInfo[] = [
  announced('example.marlin', 'Marlin', picture('#4f7cff', '#2b3fb5', 'M')),
  announced('example.hearth', 'Hearth Wallet', picture('#ff8a4f', '#c23b22', 'H')),
  announced('example.quill', 'Quill', picture('#23b48a', '#0b6e63', 'Q')),
]

/** Announced wallets, some of which have long names or missing, broken or emoji images. */
export const unwieldy: readonly ConnectorInfo[] = [
  announced('example.long', 'The Unreasonably Long Wallet Name', picture('#8d5cf6', '#4c1d95', 'U')),
  announced('example.broken', 'Broken Picture', 'data:image/png;base64,AAAA'),
  announced('example.plain', 'محفظة النور'),
  announced('example.emoji', '🦊 Fox & Friends', picture('#111827', '#374151', '🦊')),
  ...announcedConnectors,
]

/** Announced wallets, one of which supports two namespaces. */
export const twoFamilies: readonly ConnectorInfo[] = [
  ...announcedConnectors,
  {
    id: 'example.lantern',
    name: 'Lantern',
    type: 'ANNOUNCED',
    namespace: 'eip155',
    icon: picture('#f5b301', '#b45309', 'L'),
  },
  {
    id: 'example.lantern',
    name: 'Lantern',
    type: 'ANNOUNCED',
    namespace: 'solana',
    icon: picture('#f5b301', '#b45309', 'L'),
  },
]

const words = [
  'Amber',
  'Birch',
  'Cobalt',
  'Drift',
  'Ember',
  'Fjord',
  'Grove',
  'Harbor',
  'Indigo',
  'Juniper',
  'Kelp',
  'Lumen',
  'Moss',
  'Nectar',
  'Opal',
  'Pine',
]
const kinds = ['Wallet', 'Key', 'Vault', 'Pocket', 'Safe', 'Purse', 'Pass', 'Chest']

/** Creates `count` directory wallets. */
export function directoryOf(count: number): readonly Wallet[] {
  return Array.from({ length: count }, (_, at): Wallet => {
    const name = `${words[at % words.length]} ${kinds[Math.floor(at / words.length) % kinds.length]}${at >= 128 ? ` ${Math.floor(at / 128) + 1}` : ''}`
    return {
      id: `wallet-${at}`,
      name,
      homepage: 'https://wallet.example/',
      app_store: 'https://apps.apple.com/app/example',
      play_store: 'https://play.google.com/store/apps/details?id=example',
      chrome_store: 'https://chrome.google.com/webstore/detail/example',
      ...(at % 3 === 0
        ? {}
        : {
            image_url: picture(
              `hsl(${(at * 47) % 360} 70% 55%)`,
              `hsl(${(at * 47 + 60) % 360} 70% 35%)`,
              name[0] ?? '',
            ),
          }),
    }
  })
}

const network = (id: number, name: string, more: Partial<Network<'eip155'>> = {}): Network<'eip155'> =>
  fakeNetwork(`eip155:${id}`, { name, nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 }, ...more })

const explorer = { default: { name: 'Etherscan', url: 'https://etherscan.io' } }

/** A short list of networks. */
export const networks = [
  network(1, 'Ethereum', { blockExplorers: explorer }),
  network(10, 'OP Mainnet'),
  network(8453, 'Base'),
  network(11155111, 'Sepolia', { testnet: true }),
]

/** Twelve networks, one of which has a long name. */
export const twelveNetworks = [
  ...networks,
  network(137, 'Polygon'),
  network(42161, 'Arbitrum One'),
  network(100, 'Gnosis'),
  network(56, 'BNB Smart Chain'),
  network(324, 'ZKsync Era'),
  network(59144, 'Linea'),
  network(31337, 'A Private Network With a Long Name'),
  network(43114, 'Avalanche'),
]

/** Returns `state` with `known` as its networks. The first network is active. */
export function withNetworks(state: State, known: State['networks']['known'] = networks): State {
  const [first] = known
  return { ...state, networks: { known, active: first?.caipNetworkId, namespace: first?.chainNamespace } }
}

/** Returns `state` with `connectors` as the available wallets. */
export function withConnectors(state: State, connectors: readonly ConnectorInfo[] = announcedConnectors): State {
  return { ...state, wallets: { ...state.wallets, connectors } }
}

/** Returns `state` with an account connected through Marlin on Ethereum. */
export function withConnection(state: State, more: { health?: 'ok' | 'silent' } = {}): State {
  return withAccount(withConnectors(withNetworks(state)), `eip155:1:${address}`, 'example.marlin', more)
}

/** Returns `state` with a native balance of `value` wei. */
export function withBalance(state: State, value: bigint): State {
  return {
    ...state,
    account: { ...state.account, balance: { status: 'ready', value: { value, decimals: 18, symbol: 'ETH' } } },
  }
}
