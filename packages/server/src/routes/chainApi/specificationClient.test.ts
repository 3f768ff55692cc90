import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testAccounts } from '@latchkey/testing'
import {
  type Anvil,
  deployExchange,
  deployNameService,
  startAnvil,
  startFaultServer,
  type TestExchange,
} from '@latchkey/testing/node'
import { createWalletClient, type Hex, http, maxUint256, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../config/readConfig.ts'
import { startServer } from '../../startServer.ts'
import { type SpecificationClient, specificationClient } from '../../testing/specificationClient.ts'

// Sends the requests of a client that was written for the specified API and does not know this server: over real HTTP, with the
// specified parameters. The specified response formats are repeated here instead of being imported.

/** The EVM chain of the server. */
const chainId = 'eip155:31337'
/** The Solana chain of the server. */
const solanaChainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
/** An account on Solana that holds SOL and USDC. */
const solanaAccount = 'GDDMwNyyx8uB6zrqwBFHjLLG3TBYk2F8Az4yrQC5RzMp'
/** The mint of USDC on Solana. */
const solanaUsdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
/** The zone of the server's own names. */
const namesZone = 'names.example'
const [alice, bob] = testAccounts
const nobody = '0x00000000000000000000000000000000000000a1'
const marker = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const native = `${chainId}:${marker}`

const text = expect.any(String)
const number = expect.any(Number)
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
const decimal = expect.stringMatching(/^\d+(\.\d+)?$/)
const digits = expect.stringMatching(/^\d+$/)
const caip10 = expect.stringMatching(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}:\w+$/)
const hex = expect.stringMatching(/^0x([0-9a-f]{2})+$/i)

let network: ChainApiNetwork
let client: SpecificationClient
let usdc: string
beforeAll(async () => {
  network = await startChainApiNetwork()
  client = specificationClient(network.url)
  usdc = `${chainId}:${network.exchange.tokens.usdc.address}`
}, 120_000)
afterAll(() => network.stop())

const wallet = (privateKey: Hex) =>
  createWalletClient({
    account: privateKeyToAccount(privateKey),
    chain: network.anvil.chain,
    transport: http(),
  }).extend(publicActions)
const swap = (fields: object = {}) => ({
  projectId: 'a'.repeat(32),
  amount: '1000000',
  from: usdc,
  to: native,
  userAddress: `${chainId}:${alice.address}`,
  eip155: { slippage: 1 },
  disableEstimate: true,
  ...fields,
})

describe('every endpoint responds to a request that follows the specification', () => {
  const account = `v1/account/${alice.address}`
  const purchase = {
    purchaseCurrency: sold,
    paymentCurrency: { id: 'USD', payment_method_limits: [{ id: 'CARD', min: '2', max: '7500' }] },
    amount: '100',
    network: 'USDC',
  }
  const destinations = [{ address: alice.address, blockchains: ['base'], assets: ['USDC'] }]
  const projectId = 'a'.repeat(32)
  type Requests = Readonly<Record<string, () => ReturnType<SpecificationClient['get']>>>
  const requests: Requests = {
    'GET v1/supported-chains': () => client.get('v1/supported-chains'),
    'GET /v1/identity/{address}': () => client.get(`v1/identity/${alice.address}`, { sender: alice.address }),
    'GET /v1/account/{address}/history': () => client.get(`${account}/history`, { chainId }),
    'GET /v1/account/{address}/balance': () => client.get(`${account}/balance`, { currency: 'usd', chainId }),
    'GET /v1/convert/quotes': () => client.get('v1/convert/quotes', { amount: '1000000', from: usdc, to: native }),
    'GET /v1/convert/tokens': () => client.get('v1/convert/tokens', { chainId }),
    'GET /v1/convert/allowance': () =>
      client.get('v1/convert/allowance', { tokenAddress: usdc, userAddress: `${chainId}:${alice.address}` }),
    'GET /v1/convert/gas-price': () => client.get('v1/convert/gas-price', { chainId }),
    'GET /v1/convert/build-approve': () => client.get('v1/convert/build-approve', { from: usdc, to: native }),
    'POST /v1/convert/build-transaction': () => client.post('v1/convert/build-transaction', swap()),
    'POST /v1/fungible/price': () =>
      client.post('v1/fungible/price', { projectId, currency: 'usd', addresses: [native] }),
    'GET /v1/profile/account/{name}': () => client.get(`v1/profile/account/zoe.${namesZone}`, { apiVersion: '2' }),
    'GET /v1/profile/reverse/{address}': () => client.get(`v1/profile/reverse/${nobody}`, { apiVersion: '2' }),
    'GET /v1/profile/suggestions/{name}': () => client.get('v1/profile/suggestions/zoe', { zone: namesZone }),
    'POST /v1/profile/account': async () => {
      const owner = privateKeyToAccount(generatePrivateKey())
      const timestamp = Math.floor(Date.now() / 1000)
      const message = JSON.stringify({ name: `yves.${namesZone}`, attributes: {}, timestamp })
      const signature = await owner.signMessage({ message })
      return client.post('v1/profile/account', { message, signature, coin_type: 2_147_483_649, address: owner.address })
    },
    'GET /v1/onramp/options': () => client.get('v1/onramp/options'),
    'POST /v1/onramp/quote': () => client.post('v1/onramp/quote', purchase, { projectId }),
    'POST /v1/generators/onrampurl': () =>
      client.post(
        'v1/generators/onrampurl',
        {
          destinationWallets: destinations,
          partnerUserId: alice.address,
          defaultNetwork: 'base',
          presetFiatAmount: 100,
        },
        { projectId },
      ),
    'GET /v1/sessions/{id}': () => client.get(`v1/sessions/${chainId}:${alice.address}`),
  }

  test.each(Object.keys(requests))('%s [R7.10]', async (name) => {
    expect(await requests[name]?.()).toMatchObject({ status: 200, body: expect.anything() })
  })

  test('POST /v1/sessions/{id}/revoke, with a CAIP-10 or a plain address [R7.10]', async () => {
    for (const id of [`${chainId}:${alice.address}`, alice.address]) {
      const answer = await client.post(`v1/sessions/${id}/revoke`, { pci: 'unknown', signature: '0x12' }, { projectId })
      // There is no session to revoke, for which the specification requires 400.
      expect(answer).toMatchObject({ status: 400, body: { reasons: [{ field: 'pci' }] } })
    }
  })
})

describe('all endpoints', () => {
  test('supported-chains lists exactly the configured chains, and can be cached for a day', async () => {
    const { status, body, headers } = await client.get('v1/supported-chains')
    expect({ status, body }).toEqual({
      status: 200,
      body: { http: [chainId, solanaChainId], ws: [], swaps: [chainId] },
    })
    expect(headers.get('cache-control')).toBe('public, max-age=86400, s-maxage=86400')
  })

  test('CORS allows the headers that the client sends, including the JSON content type of its GET requests', async () => {
    for (const path of ['v1/convert/quotes', 'v1/account/0x1/balance', 'v1/identity/0x1'])
      expect(await client.preflight(path, 'GET', ['content-type', 'x-sdk-type', 'x-sdk-version'])).toBe(true)
    for (const path of ['v1/fungible/price', 'v1/convert/build-transaction', 'v1/profile/account'])
      expect(await client.preflight(path, 'POST', ['content-type'])).toBe(true)
  })

  test('parameters that are empty, unknown or long do not make a request invalid', async () => {
    const more = { cursor: '', chainId, source: 'x', clientId: 'd'.repeat(400), sv: `react-${'x'.repeat(200)}` }
    expect(await client.get(`v1/account/${nobody}/history`, more)).toMatchObject({ status: 200 })
    expect(
      await client.get(`v1/account/${nobody}/balance`, { chainId: '', currency: '', forceUpdate: '' }),
    ).toMatchObject({ status: 200 })
  })

  test('an unknown route responds with 404', async () => {
    expect(await client.get('v1/account/0x1/nothing')).toMatchObject({ status: 404 })
  })
})

describe('identity', () => {
  test('both identity paths return an ENS name with its avatar, which can be cached for the rest of a day', async () => {
    for (const path of [`v1/identity/${alice.address}`, `v1/account/${alice.address}/identity`]) {
      const { status, body, headers } = await client.get(path, { sender: bob.address })
      expect({ status, body }).toEqual({
        status: 200,
        body: { name: 'alice.eth', avatar: 'https://img.example/alice.png', resolvedAt: isoTime },
      })
      const [, seconds, shared] =
        /^public, max-age=(\d+), s-maxage=(\d+)$/.exec(headers.get('cache-control') ?? '') ?? []
      expect(shared).toBe(seconds)
      expect(Number(seconds)).toBeGreaterThan(86_000)
      expect(Number(seconds)).toBeLessThanOrEqual(86_400)
    }
  })

  test('for an address without a name and for a Solana address, the name and the avatar are null', async () => {
    expect(await client.get(`v1/identity/${nobody}`)).toMatchObject({
      status: 200,
      body: { name: null, avatar: null, resolvedAt: isoTime },
    })
    const solana = await client.get(`v1/identity/${solanaAccount}`)
    expect(solana).toMatchObject({ status: 200, body: { name: null, avatar: null, resolvedAt: null } })
    expect(solana.headers.get('cache-control')).toBe('public, max-age=3600, s-maxage=3600')
  })

  test.each(['0x12', 'alice.eth', `${alice.address}00`, 'undefined', '%00', '0OIl'])(
    'a malformed address is rejected with 400: %s',
    async (address) => {
      expect(await client.get(`v1/identity/${address}`)).toMatchObject({
        status: 400,
        body: { reasons: [{ field: 'address' }] },
      })
    },
  )
})

describe('history', () => {
  const item = {
    id: text,
    metadata: {
      operationType: expect.stringMatching(/^[a-z]+$/),
      hash: text,
      minedAt: isoTime,
      sentFrom: text,
      sentTo: text,
      status: expect.stringMatching(/^(confirmed|failed|pending)$/),
      nonce: number,
      application: null,
      chain: chainId,
    },
    transfers: expect.any(Array),
  }

  test('pages of 50 can be read to the end with the cursor, without gaps or duplicates', async () => {
    const sender = wallet(bob.privateKey)
    const hashes: string[] = []
    for (let at = 0; at < 60; at++) hashes.unshift(await sender.sendTransaction({ to: nobody, value: BigInt(at + 1) }))
    await sender.waitForTransactionReceipt({ hash: hashes[0] as `0x${string}`, pollingInterval: 10 })
    const first = await client.get(`v1/account/${bob.address}/history`, { chainId })
    expect(first.status).toBe(200)
    expect(Object.keys(first.body).sort()).toEqual(['data', 'next'])
    expect(first.body.data).toHaveLength(50)
    expect(first.body.next).toEqual(expect.stringMatching(/^.{1,2000}$/))
    const second = await client.get(`v1/account/${bob.address}/history`, { chainId, cursor: first.body.next })
    const all = [...first.body.data, ...second.body.data]
    for (const found of all) expect(found).toEqual(item)
    expect(all.map(({ metadata }) => metadata.hash).slice(0, 60)).toEqual(hashes)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(second.body.next).toBeNull()
  })

  test('transfers is never null or empty, even for an approval, and has the specified fields', async () => {
    const { body: built } = await client.get('v1/convert/build-approve', { from: usdc, to: native })
    const hash = await wallet(bob.privateKey).sendTransaction({ to: built.tx.from.split(':')[2], data: built.tx.data })
    await wallet(bob.privateKey).waitForTransactionReceipt({ hash, pollingInterval: 10 })
    const { body } = await client.get(`v1/account/${bob.address}/history`, { chainId })
    expect(body.data[0].metadata).toMatchObject({ operationType: 'approve', hash })
    for (const { transfers } of body.data) {
      expect(transfers.length).toBeGreaterThan(0)
      for (const transfer of transfers)
        expect(transfer).toMatchObject({
          fungible_info: { name: text, symbol: text, icon: null },
          nft_info: null,
          direction: expect.stringMatching(/^(in|out|self)$/),
          quantity: { numeric: decimal },
          value: null,
          price: null,
        })
    }
  })

  test('an account without transactions has an empty page and no cursor, and Solana accounts have a history, too', async () => {
    const unused = privateKeyToAccount(generatePrivateKey()).address
    expect(await client.get(`v1/account/${unused}/history`, { chainId })).toMatchObject({
      status: 200,
      body: { data: [], next: null },
    })
    const { status, body } = await client.get(`v1/account/${solanaAccount}/history`, { chainId: solanaChainId })
    expect(status).toBe(200)
    expect(body.data[0]).toEqual({ ...item, metadata: { ...item.metadata, chain: solanaChainId, nonce: null } })
    expect(body.data[0].transfers).toMatchObject([{ direction: 'out', quantity: { numeric: '0.5' } }])
  })

  test('purchases can only be listed for coinbase and on EVM chains', async () => {
    const path = `v1/account/${alice.address}/history`
    expect(await client.get(path, { chainId, onramp: 'coinbase' })).toMatchObject({ status: 200, body: { data: [] } })
    expect(await client.get(path, { chainId, onramp: 'meld' })).toMatchObject({ status: 400 })
    const solana = await client.get(`v1/account/${solanaAccount}/history`, {
      chainId: solanaChainId,
      onramp: 'coinbase',
    })
    expect(solana).toMatchObject({ status: 400 })
  })

  test.each([
    ['0x12', { chainId }, 'address'],
    [solanaAccount, { chainId }, 'address'],
    [alice.address, { chainId: solanaChainId }, 'address'],
    [alice.address, { chainId: 'eip155:999' }, 'chainId'],
    [alice.address, { chainId, cursor: 'cD0y' }, 'cursor'],
  ])('an invalid request is 400 with the field: %s %j', async (address, query, field) => {
    expect(await client.get(`v1/account/${address}/history`, query as never)).toMatchObject({
      status: 400,
      body: { reasons: [{ field }] },
    })
  })
})

describe('balances', () => {
  const balance = {
    name: text,
    symbol: text,
    chainId: text,
    price: number,
    quantity: { decimals: digits, numeric: decimal },
    iconUrl: text,
  }

  test('the balances of a chain have the specified fields, with text in quantity and numbers in value and price [R3.5]', async () => {
    const { status, body } = await client.get(`v1/account/${alice.address}/balance`, { currency: 'usd', chainId })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['balances'])
    for (const found of body.balances) expect(found).toMatchObject(balance)
    const [ether] = body.balances
    expect(ether).toMatchObject({ symbol: 'ETH', value: number })
    expect(ether).not.toHaveProperty('address')
    expect(body.balances.find(({ symbol }: { symbol: string }) => symbol === 'tUSDC')).toMatchObject({
      address: usdc,
      value: 10_000,
      price: 1,
      quantity: { decimals: '6', numeric: '10000' },
    })
  })

  test('without a chain ID, all chains of the family are read, and Solana accounts have balances, too', async () => {
    const { body } = await client.get(`v1/account/${alice.address}/balance`, { currency: 'usd' })
    expect(body.balances.length).toBeGreaterThan(3)
    const solana = await client.get(`v1/account/${solanaAccount}/balance`, { currency: 'usd', chainId: solanaChainId })
    expect(solana.body.balances).toMatchObject([
      { symbol: 'SOL', quantity: { decimals: '9', numeric: '2.5' }, price: 0 },
      { symbol: 'USDC', quantity: { decimals: '6', numeric: '1.5' }, price: 0 },
    ])
  })

  test('tokens in forceUpdate, including the native marker, are listed even if the balance is "0"', async () => {
    const { body } = await client.get(`v1/account/${nobody.replace('a1', 'f1')}/balance`, {
      currency: 'usd',
      chainId,
      forceUpdate: `${native},${usdc}`,
    })
    expect(body.balances.map(({ quantity }: { quantity: { numeric: string } }) => quantity.numeric)).toEqual(['0', '0'])
  })

  test('unlike the reference, the server requires neither Origin nor sv, because balances on self-hosted servers would be empty otherwise', async () => {
    for (const sv of ['', 'react-wagmi-1.6.4', 'html-1.6.5']) {
      const response = await fetch(`${network.url}/v1/account/${alice.address}/balance?chainId=${chainId}&sv=${sv}`)
      expect(((await response.json()) as { balances: unknown[] }).balances.length).toBeGreaterThan(3)
    }
  })

  test.each([
    ['0x12', {}, 'address'],
    [alice.address, { currency: 'doge' }, 'currency'],
    [alice.address, { chainId: 'eip155:999' }, 'chainId'],
    [alice.address, { forceUpdate: 'eip155:31337:0x12' }, 'forceUpdate'],
  ])('an invalid request is 400 with the field: %s %j', async (address, query, field) => {
    expect(await client.get(`v1/account/${address}/balance`, query as never)).toMatchObject({
      status: 400,
      body: { reasons: [{ field }] },
    })
  })
})

describe('prices', () => {
  const price = async (addresses: readonly string[], fields: object = {}) =>
    client.post('v1/fungible/price', { projectId: 'a'.repeat(32), currency: 'usd', addresses, ...fields })
  const fungible = { address: caip10, name: text, symbol: text, iconUrl: text, price: number }

  test('the native marker, a token and Solana tokens each have an entry with the symbol in the token list', async () => {
    // The first is the specified ID of SOL, the second is that of wrapped SOL.
    const solanaIds = ['So11111111111111111111111111111111111111111', 'So11111111111111111111111111111111111111112']
    const tokens = [native, usdc, ...[solanaUsdc, ...solanaIds].map((address) => `${solanaChainId}:${address}`)]
    const { status, body } = await price(tokens)
    expect(status).toBe(200)
    expect(body.fungibles.map(({ address }: { address: string }) => address)).toEqual(tokens)
    for (const found of body.fungibles) expect(found).toMatchObject(fungible)
    expect(body.fungibles[0]).toMatchObject({ symbol: 'ETH', decimals: 18 })
    expect(body.fungibles[0].price).toBeGreaterThan(2_900)
    expect(body.fungibles[1]).toMatchObject({ symbol: 'tUSDC', price: 1, decimals: 6 })
    // An unknown price is 0, without a source and a time.
    expect(body.fungibles[2]).toMatchObject({ symbol: 'USDC', price: 0, decimals: 6 })
    expect(body.fungibles[2]).not.toHaveProperty('pricedAt')
    for (const sol of body.fungibles.slice(3)) expect(sol).toMatchObject({ symbol: 'SOL', decimals: 9 })
    const { body: listed } = await client.get('v1/convert/tokens', { chainId })
    for (const { address, symbol } of body.fungibles.slice(0, 2))
      expect(listed.tokens.find((token: { address: string }) => token.address === address)).toMatchObject({ symbol })
  })

  test('an empty list and an unsupported chain are rejected with 400, and an unknown currency in the body with 422', async () => {
    expect(await price([])).toMatchObject({ status: 400 })
    expect(await price([`eip155:999:${marker}`])).toMatchObject({
      status: 400,
      body: { reasons: [{ field: 'chainId' }] },
    })
    expect(await price([`${chainId}:0x12`])).toMatchObject({ status: 400 })
    expect(await price([native], { currency: 'doge' })).toMatchObject({ status: 422 })
    expect(await client.post('v1/fungible/price', 'nonsense')).toMatchObject({ status: 422 })
  })
})

describe('convert', () => {
  test('tokens are listed with the specified fields, and the native currency has the marker as its address', async () => {
    const { status, body } = await client.get('v1/convert/tokens', { chainId })
    expect(status).toBe(200)
    for (const token of body.tokens) {
      expect(token).toEqual({
        name: text,
        symbol: text,
        address: caip10,
        decimals: number,
        logoUri: token.logoUri === null ? null : text,
        eip2612: token.eip2612 === null ? null : expect.any(Boolean),
      })
    }
    expect(body.tokens[0]).toMatchObject({ address: native, symbol: 'ETH', decimals: 18 })
  })

  test('a quote repeats the request and has whole amounts, and without a pool, the reason contains the words that clients look for', async () => {
    const query = {
      amount: '499999999999999',
      from: native,
      to: usdc,
      gasPrice: '1',
      userAddress: `${chainId}:${nobody}`,
    }
    const { status, body } = await client.get('v1/convert/quotes', query)
    expect(status).toBe(200)
    expect(body.quotes[0]).toMatchObject({
      id: null,
      fromAmount: '499999999999999',
      fromAccount: native,
      toAmount: digits,
      toAccount: usdc,
    })
    const to = `${chainId}:${network.exchange.tokens.unpriced.address}`
    const none = await client.get('v1/convert/quotes', { amount: '1000000', from: native, to })
    expect(none).toMatchObject({
      status: 400,
      body: { reasons: [{ description: expect.stringContaining('insufficient liquidity') }] },
    })
  })

  test('allowances and gas prices are whole numbers, and the allowance of the native currency is unlimited', async () => {
    const userAddress = `${chainId}:${nobody}`
    const of = (tokenAddress: string) => client.get('v1/convert/allowance', { tokenAddress, userAddress })
    expect(await of(usdc)).toMatchObject({ status: 200, body: { allowance: '0' } })
    expect(await of(native)).toMatchObject({ status: 200, body: { allowance: String(maxUint256) } })
    const { body } = await client.get('v1/convert/gas-price', { chainId })
    expect(body).toEqual({ standard: digits, fast: digits, instant: digits })
  })

  test('build-approve repeats from, and returns the value and gas price as digits, which the client passes to BigInt', async () => {
    const { status, body } = await client.get('v1/convert/build-approve', { from: usdc, to: native })
    expect(status).toBe(200)
    expect(body.tx).toMatchObject({ from: usdc, to: caip10, data: hex, value: '0', eip155: { gasPrice: digits } })
    expect(body.tx.data).toMatch(/^0x095ea7b3.*f{64}$/)
  })

  test('build-transaction accepts a body of text, and its transaction succeeds on the chain', async () => {
    const { status, body } = await client.post(
      'v1/convert/build-transaction',
      swap({ from: native, to: usdc, amount: '1000000000000000' }),
    )
    expect(status).toBe(200)
    expect(body.tx).toMatchObject({
      from: `${chainId}:${alice.address}`,
      to: caip10,
      data: hex,
      amount: digits,
      eip155: { gas: digits, gasPrice: digits },
    })
    const hash = await wallet(alice.privateKey).sendTransaction({
      to: body.tx.to.split(':')[2],
      data: body.tx.data,
      value: 1_000_000_000_000_000n,
      gas: BigInt(body.tx.eip155.gas),
      gasPrice: BigInt(body.tx.eip155.gasPrice),
    })
    const receipt = await wallet(alice.privateKey).waitForTransactionReceipt({ hash, pollingInterval: 10 })
    expect(receipt.status).toBe('success')
  })

  test('an unsupported chain, different chains, an invalid account and a missing slippage are rejected with 400', async () => {
    expect(await client.get('v1/convert/tokens', { chainId: 'eip155:999' })).toMatchObject({ status: 400 })
    expect(await client.get('v1/convert/gas-price', { chainId: 'eip155:999' })).toMatchObject({ status: 400 })
    const quote = { amount: '1000000', from: usdc, to: native }
    expect(await client.get('v1/convert/quotes', quote)).toMatchObject({ status: 200 })
    for (const [change, field] of [
      [{ to: `eip155:1:${marker}` }, 'to'],
      [{ userAddress: `${chainId}:0x12` }, 'userAddress'],
      [{ amount: '1e3' }, 'amount'],
      [{ from: 'usdc' }, 'from'],
    ] as const)
      expect(await client.get('v1/convert/quotes', { ...quote, ...change })).toMatchObject({
        status: 400,
        body: { reasons: [{ field }] },
      })
    const allowance = await client.get('v1/convert/allowance', { tokenAddress: usdc, userAddress: `${chainId}:0x12` })
    expect(allowance).toMatchObject({ status: 400, body: { reasons: [{ field: 'userAddress' }] } })
    expect(await client.post('v1/convert/build-transaction', swap({ eip155: undefined }))).toMatchObject({
      status: 400,
    })
    expect(await client.post('v1/convert/build-transaction', swap({ to: `eip155:1:${marker}` }))).toMatchObject({
      status: 400,
    })
  })
})

describe('names', () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const name = `carol.${namesZone}`
  const now = () => Math.floor(Date.now() / 1000)
  const profile = {
    name,
    registered_at: isoTime,
    updated_at: null,
    attributes: {},
    // The specified client uses the first one.
    addresses: {
      '60': { address: account.address, created_at: isoTime },
      '2147483648': { address: account.address, created_at: isoTime },
    },
  }

  async function signed(content: object, by = account, fields: object = {}) {
    const message = JSON.stringify(content)
    const signature = await by.signMessage({ message })
    // The client of the specification sends this coin type for Ethereum.
    return { message, signature, coin_type: 2_147_483_649, address: by.address, ...fields }
  }
  const register = async (full: string, by = account, fields: object = {}) =>
    client.post('v1/profile/account', await signed({ name: full, attributes: {}, timestamp: now() }, by, fields))

  test('an unregistered name responds with 404, or with an empty list for apiVersion 2', async () => {
    for (const path of [`v1/profile/account/nobody.${namesZone}`, `v1/profile/reverse/${nobody}`]) {
      expect(await client.get(path)).toMatchObject({ status: 404 })
      expect(await client.get(path, { apiVersion: '2', sender: nobody })).toMatchObject({ status: 200, body: [] })
    }
  })

  test('a name is registered with a signed message, and found by name and by address', async () => {
    expect(await register(name)).toMatchObject({ status: 200, body: profile })
    expect(await client.get(`v1/profile/account/${name}`, { apiVersion: '2' })).toMatchObject({
      status: 200,
      body: profile,
    })
    const reverse = await client.get(`v1/profile/reverse/${account.address}`, {
      apiVersion: '2',
      sender: account.address,
    })
    expect(reverse).toMatchObject({ status: 200, body: [profile] })
    // The account has no ENS name, so this name is immediately its identity.
    expect((await client.get(`v1/identity/${account.address}`)).body).toMatchObject({ name })
  })

  test('a taken name, a signature by another account, an old message and an invalid name are rejected', async () => {
    const other = privateKeyToAccount(generatePrivateKey())
    expect(await register(name, other)).toMatchObject({ status: 400 })
    expect(await register(name, other, { coin_type: 0x80000000 + 10 })).toMatchObject({ status: 400 })
    const content = { name: `dave.${namesZone}`, attributes: {}, timestamp: now() }
    expect(
      await client.post('v1/profile/account', { ...(await signed(content, other)), address: account.address }),
    ).toMatchObject({
      status: 401,
    })
    const old = await signed({ ...content, timestamp: now() - 3_601 }, other)
    expect(await client.post('v1/profile/account', old)).toMatchObject({ status: 400 })
    for (const invalid of [
      `ab.${namesZone}`,
      `!eve.${namesZone}`,
      `a.eve.${namesZone}`,
      'eve.other.example',
      `e_ve.${namesZone}`,
    ])
      expect(await register(invalid, other)).toMatchObject({ status: 400 })
    expect(await client.post('v1/profile/account', { message: 1 })).toMatchObject({ status: 422 })
  })

  test('only the owner can change attributes and addresses', async () => {
    const path = `v1/profile/account/${name}`
    const other = privateKeyToAccount(generatePrivateKey())
    const later = now() + 1
    const attributes = { attributes: { bio: 'hello' }, timestamp: later }
    expect(await client.post(`${path}/attributes`, await signed(attributes, other))).toMatchObject({ status: 401 })
    expect(await client.post(`${path}/attributes`, await signed(attributes))).toMatchObject({
      status: 200,
      body: { bio: 'hello' },
    })
    const change = { coin_type: 60, address: nobody, timestamp: later + 1 }
    expect(await client.post(`${path}/address`, await signed(change, other))).toMatchObject({ status: 401 })
    const { status, body } = await client.post(`${path}/address`, await signed(change))
    expect({ status, body }).toMatchObject({ status: 200, body: { '60': { created_at: isoTime } } })
    expect(body['60'].address.toLowerCase()).toBe(nobody)
  })

  test('at most five names are suggested, starting with the requested one, and an invalid one is rejected with 400', async () => {
    const { status, body } = await client.get('v1/profile/suggestions/carol', { zone: namesZone })
    expect(status).toBe(200)
    expect(body.suggestions.length).toBeLessThanOrEqual(5)
    expect(body.suggestions[0]).toEqual({ name, registered: true })
    for (const suggestion of body.suggestions)
      expect(suggestion).toEqual({ name: text, registered: expect.any(Boolean) })
    for (const short of ['ab', 'a_b', '!abc'])
      expect(await client.get(`v1/profile/suggestions/${short}`, { zone: namesZone })).toMatchObject({ status: 400 })
  })
})

/**
 * A server that is started as an operator would, with a local chain that has an exchange and ENS, and a simulated Solana node.
 */
interface ChainApiNetwork {
  /** The URL of the server, for real HTTP requests. */
  readonly url: string
  readonly anvil: Anvil
  readonly exchange: TestExchange
  stop(): Promise<void>
}

/** Starts the server and the services that it reads from. */
async function startChainApiNetwork(): Promise<ChainApiNetwork> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-chain-api-'))
  const anvil = await startAnvil()
  const exchange = await deployExchange({ chain: anvil.chain })
  const ens = await deployNameService({ chain: anvil.chain })
  await ens.register('alice.eth', { address: alice.address, texts: { avatar: 'https://img.example/alice.png' } })
  await ens.setPrimaryName(alice.privateKey, 'alice.eth')
  const solana = await startFaultServer(async (request) => Response.json(solanaAnswers(await request.json())))
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const seller = await startFaultServer((request) =>
    Response.json(sellerAnswers[new URL(request.url).pathname] ?? { transactions: [], next_page_key: '' }),
  )
  await writeFile(join(folder, 'tokens.json'), JSON.stringify(exchange.tokenList))
  await writeFile(
    join(folder, 'chains.json'),
    JSON.stringify({
      [chainId]: {
        name: 'Local chain',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        testnet: true,
        rpcUrls: [anvil.url],
        tokenLists: ['tokens.json'],
        multicall3: exchange.multicall3,
        exchange: exchange.contracts,
        ens: { universalResolver: ens.universalResolver },
      },
      [solanaChainId]: { rpcUrls: [solana.url] },
    }),
  )
  const config = readConfig({
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    CHAINS_FILE: join(folder, 'chains.json'),
    NAMES_ZONE: namesZone,
    RELAY: 'off',
    RATE_PER_ADDRESS: '0',
    COINBASE_API_KEY_ID: 'organizations/1/apiKeys/2',
    COINBASE_API_KEY_SECRET: String(privateKey.export({ type: 'sec1', format: 'pem' })),
    COINBASE_API_URL: `${seller.url}/onramp`,
    ONRAMP_SUBDIVISION: 'NY',
  })
  const server = await startServer({ config, log: () => {} })
  return {
    url: server.url,
    anvil,
    exchange,
    async stop() {
      await server.stop()
      await solana.stop()
      await seller.stop()
      await anvil.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const dollars = (value: string) => ({ value, currency: 'USD' })
const sold = {
  id: '2b92315d-eab7-5bef-84fa-089a131333f5',
  name: 'USD Coin',
  symbol: 'USDC',
  networks: [{ name: 'base', display_name: 'Base', chain_id: '8453', contract_address: '0x8335' }],
}

/** The responses of Coinbase, as its documentation describes them. */
const sellerAnswers: Readonly<Record<string, unknown>> = {
  '/onramp/v1/buy/options': {
    payment_currencies: [{ id: 'USD', limits: [{ id: 'CARD', min: '2', max: '7500' }] }],
    purchase_currencies: [sold],
  },
  '/onramp/v1/buy/quote': {
    payment_total: dollars('100'),
    payment_subtotal: dollars('98.50'),
    purchase_amount: { value: '98.4', currency: 'USDC' },
    coinbase_fee: dollars('1.50'),
    network_fee: dollars('0.10'),
    quote_id: 'b0bbeb00-0000-4000-8000-000000000000',
  },
  '/onramp/v1/token': { token: 'ZWJlNDgwYmItNjBkMi00ZmFi', channel_id: '' },
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params?: readonly [unknown, { readonly programId?: string; readonly mint?: string }?]
}

const signature = '5'.repeat(88)

function solanaAnswers(body: unknown): unknown {
  const answer = ({ id, method, params }: Call) => ({ jsonrpc: '2.0', id, result: solanaResult(method, params) })
  return Array.isArray(body) ? body.map((call: Call) => answer(call)) : answer(body as Call)
}

function solanaResult(method: string, params: Call['params']): unknown {
  const [, filter] = params ?? []
  const usdc = { mint: solanaUsdc, tokenAmount: { amount: '1500000', decimals: 6 } }
  const holds = filter?.programId?.startsWith('Tokenkeg') || filter?.mint === solanaUsdc
  if (method === 'getBalance') return { context: { slot: 1 }, value: 2_500_000_000 }
  if (method === 'getTokenAccountsByOwner')
    return { value: holds ? [{ pubkey: solanaAccount, account: { data: { parsed: { info: usdc } } } }] : [] }
  if (method === 'getSignaturesForAddress') return [{ signature, slot: 7 }]
  if (method !== 'getTransaction') return null
  return {
    slot: 7,
    blockTime: 1_764_000_000,
    transaction: {
      signatures: [signature],
      message: {
        accountKeys: [
          { pubkey: solanaAccount, signer: true },
          { pubkey: solanaUsdc, signer: false },
        ],
      },
    },
    meta: {
      err: null,
      fee: 5_000,
      preBalances: [3_000_005_000, 0],
      postBalances: [2_500_000_000, 500_000_000],
      preTokenBalances: [],
      postTokenBalances: [],
    },
  }
}
