// The pages that the benchmarks open. Their imports are resolved from `e2e/`, because e2e/package.json lists their dependencies.
// The pages for the visitor benchmark show the same wallets: two that announce themselves, WalletConnect, and a directory of 600
// wallets with images. The `server` parameter of a page's URL contains the directory's URL.

/** The names of the wallets that announce themselves on every page (EIP-6963). */
export const announcedWallets = ['Aurora Wallet', 'Birch Wallet']

/** The first lines of every page. */
const react = `import { createElement, useEffect, useMemo, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
const server = new URLSearchParams(location.search).get('server') ?? undefined
const render = (page) => createRoot(document.getElementById('root')).render(page)
`

/** A page without a modal. Its size is subtracted from the sizes of the other pages. */
const bare = `import { createRoot } from 'react-dom/client'
import { createElement } from 'react'
createRoot(document.getElementById('root')).render(createElement('button', null, 'Connect'))`

// The smallest modal that shows the same list: its rows, its directory and its search, without accounts, focus management, themes
// or translations.
const minimal = `${react}
const fetchWallets = async (query) => (await fetch(server + '/getWallets?entries=40&' + query)).json()
const announced = []
addEventListener('eip6963:announceProvider', ({ detail }) => {
  if (!announced.some(({ uuid }) => uuid === detail.info.uuid)) announced.push(detail.info)
})
dispatchEvent(new Event('eip6963:requestProvider'))
function All({ wallets }) {
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState([])
  useEffect(() => {
    if (!typed) return
    const timer = setTimeout(async () => setFound((await fetchWallets('search=' + typed)).data), 300)
    return () => clearTimeout(timer)
  }, [typed])
  const shown = useMemo(() => {
    const matching = [...wallets, ...found].filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()))
    return [...new Map(matching.map((wallet) => [wallet.id, wallet])).values()]
  }, [wallets, found, typed])
  return [createElement('input', { key: 'search', value: typed, onChange: (event) => setTyped(event.target.value) }),
    createElement('ul', { key: 'list', style: { height: 400, overflow: 'auto' } }, shown.map(({ id, name, image_id }) =>
      createElement('li', { key: id }, createElement('button', null,
        createElement('img', { src: server + '/getWalletImage/' + image_id, width: 56, height: 56, loading: 'lazy', alt: '' }),
        createElement('span', null, name)))))]
}
function Modal({ onClose }) {
  const dialog = useRef(null)
  const [listed, setListed] = useState({ data: [], count: undefined })
  const [all, setAll] = useState(false)
  useEffect(() => dialog.current.showModal(), [])
  useEffect(() => void fetchWallets('').then(setListed), [])
  return createElement('dialog', { ref: dialog, onClose }, createElement('h2', null, 'Connect a wallet'), all
    ? createElement(All, { wallets: listed.data })
    : [...announced, { name: 'WalletConnect' }].map(({ name, icon }) => createElement('button', { key: name },
        icon && createElement('img', { src: icon, width: 40, height: 40, alt: '' }), createElement('span', null, name))).concat(
        createElement('button', { key: 'all', onClick: () => setAll(true) },
          createElement('span', null, 'All wallets'), createElement('span', null, listed.count))))
}
function Page() {
  const [open, setOpen] = useState(false)
  return [createElement('button', { key: 'b', onClick: () => setOpen(true) }, 'Connect'),
    open && createElement(Modal, { key: 'm', onClose: () => setOpen(false) })]
}
render(createElement(Page))`

/** The options of a page with three chains and WalletConnect, as the README's quickstart writes them. */
const options = `{
  app: { name: 'Bakery', url: location.origin },
  adapters: [evm({ chains: [mainnet, base, optimism] })],
  wallets: [walletConnect({ projectId: 'bakery' })],
  server,
  projectId: 'bakery',
}`

/** @param {string} chains the module with the chains */
const quickstartWith = (chains) => `${react}
import { evm } from '@latchkey/adapters/evm'
import { walletConnect } from '@latchkey/adapters/walletconnect'
import { ConnectButton, LatchkeyProvider, useAccount } from '@latchkey/react'
import '@latchkey/react/styles.css'
import { base, mainnet, optimism } from '${chains}'
function Who() {
  const { address, status } = useAccount()
  return createElement('p', null, status === 'connected' ? address : 'Not connected')
}
render(createElement(LatchkeyProvider, { options: ${options} }, createElement(ConnectButton), createElement(Who)))`

/** The README's quickstart with three chains, WalletConnect and styles. */
export const quickstart = quickstartWith('@latchkey/adapters/chains')

/** The same page, with the single component from `@latchkey/react/quick`. */
export const quick = `${react}
import { evm } from '@latchkey/adapters/evm'
import { walletConnect } from '@latchkey/adapters/walletconnect'
import { Latchkey } from '@latchkey/react/quick'
import { base, mainnet, optimism } from '@latchkey/adapters/chains'
render(createElement(Latchkey, { options: ${options} }))`

/** The view AllWallets with 10,000 entries. */
const list = `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { LatchkeyPanel, LatchkeyProvider } from '@latchkey/react'
import { route } from '@latchkey/core'
import { fakeDirectory, fakeLatchkey } from '@latchkey/core/testing'
const wallets = Array.from({ length: 10000 }, (_, at) => ({ id: at.toString(16).padStart(64, '0'), name: 'Wallet ' + at, image_id: '', rdns: '', chains: ['eip155:1'], mobile_link: 'w' + at + '://' }))
const latchkey = fakeLatchkey({
  options: { server: 'https://connect.app.example', projectId: 'bench', embedded: true },
  directory: fakeDirectory({ wallets, pageSize: Number(new URLSearchParams(location.search).get('page') ?? 40) }),
  state: (quiet) => ({ ...quiet, modal: { ...quiet.modal, open: true, stack: [route('AllWallets')] } }),
})
createRoot(document.getElementById('root')).render(
  createElement(LatchkeyProvider, { latchkey }, createElement('div', { style: { width: 360, height: 640 } }, createElement(LatchkeyPanel))))`

/** A page with an account that has 500 tokens and 10,000 transactions, on pages of 50, as a server sends them. */
const account = `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { LatchkeyPanel, LatchkeyProvider } from '@latchkey/react'
import { createLatchkey, route } from '@latchkey/core'
import { fakeAdapter, fakeConnector, fakeNetwork, memoryStorage } from '@latchkey/core/testing'
const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const balances = Array.from({ length: 500 }, (_, at) => ({
  name: 'Token ' + at, symbol: 'T' + at, chainId: 'eip155:1', address: 'eip155:1:0x' + at.toString(16).padStart(40, '0'),
  price: 1 + at / 100, quantity: { decimals: '18', numeric: (1000 - at) + '.123456789' }, iconUrl: '',
  pricedAt: new Date().toISOString(), priceSource: 'uniswap-v3',
}))
const transaction = (at) => ({
  id: 't' + at,
  metadata: {
    operationType: ['send', 'receive', 'trade', 'approve'][at % 4], hash: '0x' + at.toString(16).padStart(64, '0'),
    minedAt: new Date(Date.now() - at * 3600000).toISOString(), sentFrom: address,
    sentTo: '0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C', status: 'confirmed', nonce: at, application: null, chain: 'eip155:1',
  },
  transfers: [['out', 'USDC'], ['in', 'ETH']].slice(0, at % 4 === 2 ? 2 : 1).map(([direction, symbol]) => ({
    fungible_info: { name: symbol, symbol, icon: null }, nft_info: null, direction, quantity: { numeric: at + '.5' }, value: at, price: 1,
  })),
})
const answers = {
  '/v1/supported-chains': () => ({ http: ['eip155:1'], ws: [] }),
  balance: () => ({ balances }),
  history(url) {
    const from = Number(url.searchParams.get('cursor') ?? 0)
    const data = Array.from({ length: 50 }, (_, at) => transaction(from + at))
    return { data, next: from + 50 < 10000 ? String(from + 50) : null }
  },
}
// The bodies are written in advance, because a server writes them elsewhere.
const bodies = new Map()
for (let from = 0; from < 10000; from += 50)
  bodies.set('history' + (from || ''), JSON.stringify(answers.history(new URL('http://a/?cursor=' + from))))
const fetch = async (input) => {
  const url = new URL(input)
  const name = Object.keys(answers).find((part) => url.pathname.endsWith(part))
  const body = bodies.get(name + (url.searchParams.get('cursor') ?? '')) ?? JSON.stringify(answers[name]?.(url) ?? {})
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}
const connector = fakeConnector({ id: 'bench', name: 'Bench Wallet', addresses: [address], chain: 'eip155:1' })
const latchkey = createLatchkey({
  server: 'https://connect.app.example', projectId: 'bench', embedded: true, storage: memoryStorage(), fetch,
  features: { analytics: false },
  adapters: [fakeAdapter({ wallets: [connector], networks: [fakeNetwork('eip155:1', { name: 'Ethereum' })] })],
})
createRoot(document.getElementById('root')).render(
  createElement(LatchkeyProvider, { latchkey }, createElement('div', { style: { width: 360, height: 640 } }, createElement(LatchkeyPanel))))
await latchkey.prepare()
await latchkey.connect({ connectorId: 'bench' })
latchkey.modal.open({ view: route(new URLSearchParams(location.search).get('view') ?? 'Account') })`

/** @type {Readonly<Record<'bare' | 'minimal' | 'quickstart' | 'quick' | 'viemChains' | 'list' | 'account', string>>} */
export const pages = { bare, minimal, quickstart, quick, viemChains: quickstartWith('viem/chains'), list, account }

/**
 * The pages for the comparison with another kit, which use the React version that the kit needs. Their imports are resolved from
 * `e2e/kits/`.
 * @type {Readonly<Record<'kitBare' | 'rainbowkit', string>>}
 */
export const kitPages = {
  kitBare: bare,
  rainbowkit: `${react}
import { ConnectButton, getDefaultConfig, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import '@rainbow-me/rainbowkit/styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { base, mainnet, optimism } from 'viem/chains'
import { WagmiProvider } from 'wagmi'
const config = getDefaultConfig({ appName: 'Bakery', projectId: 'bakery', chains: [mainnet, base, optimism] })
render(createElement(WagmiProvider, { config }, createElement(QueryClientProvider, { client: new QueryClient() },
  createElement(RainbowKitProvider, null, createElement(ConnectButton)))))`,
}
