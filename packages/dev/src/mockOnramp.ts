import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import type { LocalChain } from '@latchkey/testing'
import type { TestToken } from '@latchkey/testing/node'
import { Hono } from 'hono'
import { jwtVerify } from 'jose'
import * as v from 'valibot'
import { formatUnits, getAddress, isAddress } from 'viem'
import { escapeHtml } from './escapeHtml.ts'
import { listenNear } from './localListener.ts'
import {
  centsText,
  type MockAsset,
  type MockNetwork,
  mockAssets,
  mockCents,
  mockCurrencies,
  mockLimits,
  mockQuote,
} from './mockOnrampCatalog.ts'
import { createMockDelivery } from './mockOnrampDelivery.ts'
import { errorPage, loginStyle, mockPage } from './mockUsers.ts'
import type { StaticSite } from './staticSite.ts'

/**
 * A mock seller of crypto, with the published API of Coinbase Onramp. No payment is made, but each purchase is sent to the
 * account on the local chain.
 */
export interface MockOnramp {
  /** The credentials that Coinbase would have issued to the operator, and the URLs of the mock. */
  readonly credentials: {
    readonly keyId: string
    /** The base64 of an Ed25519 key. */
    readonly keySecret: string
    readonly apiUrl: string
    readonly payUrl: string
  }
  /** The page on which buyers confirm a purchase. */
  readonly site: StaticSite
  close(): Promise<void>
}

interface Order {
  readonly address: `0x${string}`
  readonly networks: readonly string[]
  readonly asset: MockAsset
  readonly network: MockNetwork
  readonly currency: string
  readonly partnerUserRef: string
}

/** A purchase in the format of the API. */
interface Purchase {
  readonly transaction_id: string
  readonly partner_user_ref: string
  status: string
  tx_hash: string
  readonly [key: string]: unknown
}

const sessionLifeMs = 5 * 60_000
const maxEntries = 1_000
const keyId = 'local-onramp'

/**
 * Starts the mock seller. `origin` is the origin of its page. The API has a separate port, which only this machine can reach.
 */
export async function startMockOnramp({
  origin,
  chains,
  token,
}: {
  origin: string
  chains: readonly LocalChain[]
  token: TestToken & { readonly chainId: number }
}): Promise<MockOnramp> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const seller: Seller = {
    assets: mockAssets({ chains, token }),
    deliver: createMockDelivery(),
    sessions: new Map(),
    orders: new Map(),
    purchases: [],
  }
  const api = createApi(seller, publicKey)
  const page = createPage(seller)
  const listener = await listenNear(0)
  listener.serve(async (request) => api.fetch(request))
  return {
    credentials: {
      keyId,
      keySecret: secretOf(privateKey),
      apiUrl: `http://127.0.0.1:${listener.port}/onramp`,
      payUrl: origin,
    },
    site: async (request) => page.fetch(request),
    close: listener.close,
  }
}

interface Seller {
  readonly assets: readonly MockAsset[]
  readonly deliver: ReturnType<typeof createMockDelivery>
  /** The sessions whose tokens have not been used yet, by token. */
  readonly sessions: Map<string, { readonly address: `0x${string}`; readonly networks: readonly string[] }>
  /** The orders that have not been completed or cancelled yet, by ID. */
  readonly orders: Map<string, Order>
  /** The purchases, newest first. */
  readonly purchases: Purchase[]
}

const text = v.pipe(v.string(), v.maxLength(200))
const tokenBody = v.object({
  addresses: v.pipe(
    v.array(v.object({ address: text, blockchains: v.pipe(v.array(text), v.minLength(1)) })),
    v.length(1),
  ),
  assets: v.optional(v.array(text)),
  // Coinbase requires this field, but the dev environment does not know the addresses of its clients.
  clientIp: v.optional(v.pipe(text, v.ip())),
})
const quoteBody = v.object({
  purchase_currency: text,
  purchase_network: v.optional(text),
  payment_currency: text,
  payment_amount: text,
  payment_method: v.picklist(mockLimits.map(({ id }) => id)),
  country: v.pipe(v.string(), v.length(2)),
})

/** Creates the API, with the paths, fields and errors in Coinbase's documentation. */
function createApi(seller: Seller, publicKey: KeyObject): Hono {
  const app = new Hono().basePath('/onramp/v1')
  app.use(async (c, next) => {
    const { host, pathname } = new URL(c.req.url)
    const bearer = c.req.header('authorization')?.replace(/^Bearer /, '') ?? ''
    const payload = await jwtVerify(bearer, publicKey, { issuer: 'cdp', subject: keyId }).then(
      (verified) => verified.payload,
      () => undefined,
    )
    const uris: unknown = payload?.uris
    if (!Array.isArray(uris) || !uris.includes(`${c.req.method} ${host}${pathname}`))
      return c.json({ code: 16, message: 'Unauthorized' }, 401)
    return next()
  })
  app.get('/buy/options', (c) =>
    c.json({
      payment_currencies: Object.keys(mockCurrencies).map((id) => ({ id, limits: mockLimits })),
      purchase_currencies: seller.assets.map(({ id, name, symbol, networks }) => ({
        id,
        name,
        symbol,
        networks: networks.map(({ name, chain, contract }) => ({
          name,
          display_name: chain.name,
          chain_id: String(chain.id),
          contract_address: contract ?? '',
        })),
      })),
    }),
  )
  app.post('/buy/quote', async (c) => {
    const body = v.safeParse(quoteBody, await c.req.json().catch(() => undefined))
    if (!body.success) return c.json({ code: 3, message: body.issues[0].message }, 400)
    const { purchase_currency, payment_currency, payment_amount } = body.output
    const asset = seller.assets.find(({ id, symbol }) => [id, symbol].includes(purchase_currency))
    const total = mockCents(payment_amount)
    const quote = asset && total !== undefined && mockQuote({ asset, currency: payment_currency, total })
    if (!asset || !quote) return c.json({ code: 3, message: 'This amount cannot be bought' }, 400)
    const fiat = (cents: bigint) => ({ value: centsText(cents), currency: payment_currency })
    return c.json({
      payment_total: fiat(quote.total),
      payment_subtotal: fiat(quote.subtotal),
      purchase_amount: { value: formatUnits(quote.delivered, asset.decimals), currency: asset.symbol },
      coinbase_fee: fiat(quote.fee),
      network_fee: fiat(quote.networkFee),
      quote_id: randomUUID(),
    })
  })
  app.post('/token', async (c) => {
    const body = v.safeParse(tokenBody, await c.req.json().catch(() => undefined))
    const [wallet] = body.success ? body.output.addresses : []
    if (!wallet || !isAddress(wallet.address)) return c.json({ code: 3, message: 'The addresses are not valid' }, 400)
    const token = randomBytes(24).toString('base64url')
    remember(seller.sessions, token, { address: getAddress(wallet.address), networks: wallet.blockchains })
    setTimeout(() => seller.sessions.delete(token), sessionLifeMs).unref()
    return c.json({ token, channel_id: '' })
  })
  app.get('/buy/user/:ref/transactions', (c) => {
    const own = seller.purchases.filter(({ partner_user_ref }) => partner_user_ref === c.req.param('ref'))
    const size = Math.min(Math.max(Number(c.req.query('page_size')) || 1, 1), 50)
    const from = Math.max(Number(c.req.query('page_key')) || 0, 0)
    const next = from + size < own.length ? String(from + size) : ''
    return c.json({ transactions: own.slice(from, from + size), next_page_key: next, total_count: own.length })
  })
  return app as unknown as Hono
}

/** Creates the page on which buyers confirm a purchase. */
function createPage(seller: Seller): Hono {
  const app = new Hono()
  app.get('/login.css', (c) => c.body(loginStyle, 200, { 'content-type': 'text/css' }))
  app.get('/buy/select-asset', (c) => {
    const { sessionToken = '', defaultAsset, defaultNetwork, fiatCurrency = 'USD', presetFiatAmount } = c.req.query()
    const session = seller.sessions.get(sessionToken)
    // A token can only be used once.
    seller.sessions.delete(sessionToken)
    if (!session) return errorPage('This page has expired. Go back to the app and start again.')
    const asset = seller.assets.find(({ id, symbol }) => [id, symbol].includes(defaultAsset ?? '')) ?? seller.assets[0]
    const network =
      asset?.networks.find(({ name }) => name === defaultNetwork && session.networks.includes(name)) ??
      asset?.networks.find(({ name }) => session.networks.includes(name))
    if (!asset || !network) return errorPage('Nothing can be bought on these networks.')
    const currency = Object.hasOwn(mockCurrencies, fiatCurrency) ? fiatCurrency : 'USD'
    const partnerUserRef = c.req.query('partnerUserRef') ?? randomUUID()
    const id = randomBytes(24).toString('base64url')
    remember(seller.orders, id, { ...session, asset, network, currency, partnerUserRef })
    return confirmation({ id, asset, network, currency, address: session.address, amount: presetFiatAmount ?? '100' })
  })
  app.post('/buy/pay', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    const id = form.get('order') ?? ''
    const order = seller.orders.get(id)
    if (!order) return errorPage('This purchase has already been completed.')
    if (form.get('answer') === 'cancel') {
      seller.orders.delete(id)
      return errorPage('Nothing was bought. You can close this window.', { title: 'Cancelled', status: 200 })
    }
    const total = mockCents(form.get('amount') ?? '')
    const quote = total === undefined ? undefined : mockQuote({ ...order, total })
    if (!quote) return errorPage('This amount cannot be bought. Go back and change it.')
    seller.orders.delete(id)
    const purchase = addPurchase(seller, order, quote.delivered, centsText(quote.total))
    if (form.get('answer') === 'decline') {
      purchase.status = 'ONRAMP_TRANSACTION_STATUS_FAILED'
      return errorPage('The card was declined. Nothing was bought. You can close this window.', {
        title: 'Declined',
        status: 200,
      })
    }
    // Like the page of a real seller, this page does not wait for the delivery.
    seller.deliver({ ...order, amount: quote.delivered }).then(
      (hash) => {
        purchase.tx_hash = hash
        purchase.status = 'ONRAMP_TRANSACTION_STATUS_SUCCESS'
      },
      () => {
        purchase.status = 'ONRAMP_TRANSACTION_STATUS_FAILED'
      },
    )
    return errorPage('Your purchase is on its way. You can close this window.', { title: 'Paid', status: 200 })
  })
  return app
}

function addPurchase(seller: Seller, order: Order, delivered: bigint, paid: string): Purchase {
  const { asset, network, currency, partnerUserRef, address } = order
  const purchase: Purchase = {
    transaction_id: randomUUID(),
    status: 'ONRAMP_TRANSACTION_STATUS_IN_PROGRESS',
    purchase_currency: asset.symbol,
    purchase_network: network.name,
    purchase_amount: { value: formatUnits(delivered, asset.decimals), currency: asset.symbol },
    payment_total: { value: paid, currency },
    tx_hash: '',
    created_at: new Date().toISOString(),
    payment_method: 'CARD',
    wallet_address: address,
    partner_user_ref: partnerUserRef,
  }
  seller.purchases.unshift(purchase)
  seller.purchases.length = Math.min(seller.purchases.length, maxEntries)
  return purchase
}

function confirmation({
  id,
  asset,
  network,
  currency,
  address,
  amount,
}: Pick<Order, 'asset' | 'network' | 'currency' | 'address'> & { id: string; amount: string }): Response {
  return mockPage(
    'Coinbase (mock)',
    `<p>This is not Coinbase. It is a page on your own machine: nobody pays, and what you buy is sent on the local chain.</p>
<form method="post" action="/buy/pay"><input type="hidden" name="order" value="${id}">
<label>Amount in ${escapeHtml(currency)} <input name="amount" required inputmode="decimal" autocomplete="off" value="${escapeHtml(amount)}"></label>
<p>You receive ${escapeHtml(asset.symbol)} on ${escapeHtml(network.chain.name)} at <code>${address}</code>.</p>
<button name="answer" value="pay">Pay</button>
<button name="answer" value="decline" class="quiet">Pay with a card that is declined</button>
<button name="answer" value="cancel" formnovalidate class="quiet">Cancel</button>
</form>`,
  )
}

/** Adds an entry, and removes the oldest one if there are too many. */
function remember<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.set(key, value)
  for (const oldest of entries.keys()) {
    if (entries.size <= maxEntries) break
    entries.delete(oldest)
  }
}

/** Returns an Ed25519 key in the format of a CDP API key: the base64 of the seed and the public key. */
function secretOf(key: KeyObject): string {
  const { d = '', x = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64')
}
