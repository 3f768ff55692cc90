import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { parseEther } from 'viem'
import {
  type Answer,
  chainId,
  connected,
  expect,
  type Namespaces,
  pairings,
  type RequestedNamespaces,
  test,
} from './support/referenceClient.ts'

// Tests every class of wallet methods between our client and the official one.

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
const hash = `0x${'ab'.repeat(32)}`

const typed = {
  domain: { name: 'Shop', version: '1', chainId: 31337 },
  types: { Order: [{ name: 'bread', type: 'uint256' }] },
  primaryType: 'Order',
  message: { bread: '12345678901234567890' },
} as const

/** A request and its expected result. */
interface Row {
  readonly method: string
  readonly params: unknown
  readonly result: unknown
}

const wallet: readonly Row[] = [
  { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a69' }], result: null },
  {
    method: 'wallet_addEthereumChain',
    params: [{ chainId: '0x7a6a', chainName: 'Other', rpcUrls: ['https://rpc.example'] }],
    result: null,
  },
  { method: 'wallet_getPermissions', params: [], result: [{ parentCapability: 'eth_accounts', caveats: [] }] },
  {
    method: 'wallet_requestPermissions',
    params: [{ eth_accounts: {} }],
    result: [{ parentCapability: 'eth_accounts' }],
  },
  { method: 'wallet_registerOnboarding', params: [], result: true },
  {
    method: 'wallet_watchAsset',
    params: { type: 'ERC20', options: { address: hash, symbol: 'BUN', decimals: 18 } },
    result: true,
  },
  { method: 'wallet_scanQRCode', params: ['^.*$'], result: 'bread' },
  {
    method: 'wallet_sendCalls',
    params: [{ version: '2.0.0', chainId: '0x7a69', atomicRequired: false, calls: [] }],
    result: { id: hash },
  },
  {
    method: 'wallet_getCallsStatus',
    params: [hash],
    result: { version: '2.0.0', id: hash, status: 200, receipts: [] },
  },
  { method: 'wallet_showCallsStatus', params: [hash], result: null },
  { method: 'wallet_getCapabilities', params: [hash], result: { '0x7a69': { atomic: { status: 'ready' } } } },
  {
    method: 'wallet_grantPermissions',
    params: [{ chainId: '0x7a69', expiry: 2_000_000_000, permissions: [] }],
    result: { expiry: 2_000_000_000, permissionsContext: hash },
  },
  { method: 'wallet_revokePermissions', params: [{ permissionsContext: hash }], result: {} },
  { method: 'wallet_getAssets', params: [{ account: hash }], result: { '0x7a69': [{ type: 'native' }] } },
  { method: 'eth_accounts', params: [], result: [hash] },
  { method: 'eth_requestAccounts', params: [], result: [hash] },
  { method: 'eth_sign', params: [hash, hash], result: hash },
  { method: 'eth_signTypedData', params: [hash, typed], result: hash },
  { method: 'eth_signTypedData_v3', params: [hash, JSON.stringify(typed)], result: hash },
  { method: 'eth_signTransaction', params: [{ to: hash, value: '0x1' }], result: hash },
  { method: 'eth_sendRawTransaction', params: [hash], result: hash },
]
const solanaRows: readonly Row[] = [
  { method: 'solana_getAccounts', params: {}, result: [{ pubkey: '4Nd1m' }] },
  { method: 'solana_requestAccounts', params: {}, result: [{ pubkey: '4Nd1m' }] },
  {
    method: 'solana_signTransaction',
    params: { transaction: 'AQ==' },
    result: { signature: '5eyk', transaction: 'AQ==' },
  },
  { method: 'solana_signAllTransactions', params: { transactions: ['AQ=='] }, result: { transactions: ['AQ=='] } },
  { method: 'solana_signAndSendTransaction', params: { transaction: 'AQ==' }, result: { signature: '5eyk' } },
]
const bitcoinRows: readonly Row[] = [
  { method: 'sendTransfer', params: { account: '1A1z', recipientAddress: '1B', amount: '1' }, result: { txid: 'ab' } },
  { method: 'signMessage', params: { account: '1A1z', message: 'hi' }, result: { address: '1A1z', signature: 'ab' } },
  { method: 'signPsbt', params: { account: '1A1z', psbt: 'cHNi', signInputs: [] }, result: { psbt: 'cHNi' } },
  { method: 'getAccountAddresses', params: { account: '1A1z' }, result: [{ address: '1A1z' }] },
]
const real = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']

const names = (rows: readonly Row[]): string[] => rows.map(({ method }) => method)
const asking: RequestedNamespaces = {
  eip155: { chains: [chainId], methods: [...real, ...names(wallet)], events: ['chainChanged'] },
  solana: { chains: [solana], methods: ['solana_signMessage', ...names(solanaRows)], events: [] },
  bip122: { chains: [bitcoin], methods: names(bitcoinRows), events: [] },
}

function allOf(address: string): Namespaces {
  const account = {
    eip155: address,
    solana: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
    bip122: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  }
  return Object.fromEntries(
    Object.entries(asking).map(([name, method]) => [
      name,
      { ...method, accounts: method.chains.map((chain) => `${chain}:${account[name as keyof typeof account]}`) },
    ]),
  )
}

for (const way of pairings) {
  test(`${way}: the params and results of every method class arrive unchanged`, async ({
    officialClient,
    ours,
    signers,
    world,
  }) => {
    const [signer, other] = signers
    const { page, wallet: hand } = await connected(
      way,
      { officialClient, ours },
      { asking, namespaces: allOf(signer.address) },
    )
    const solanaKey = createPrivateKey({
      key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
      format: 'der',
      type: 'pkcs8',
    })
    const { createWalletClient, createPublicClient, http } = await import('viem')
    const [chain] = world.facts.chains
    const transport = http(chain.rpcUrls.default.http[0])
    const sender = createWalletClient({ account: signer, chain, transport })
    const rows = [...wallet, ...solanaRows, ...bitcoinRows]
    const requests: unknown[] = []

    hand.answer(async ({ method, params, chainId: on }): Promise<Answer> => {
      requests.push([on, method, params])
      const [first, second] = (Array.isArray(params) ? params : []) as [never, never]
      if (method === 'personal_sign') return { result: await signer.signMessage({ message: { raw: first } }) }
      if (method === 'eth_signTypedData_v4') return { result: await signer.signTypedData(JSON.parse(second)) }
      if (method === 'eth_sendTransaction') {
        const { to, value } = first as { to: `0x${string}`; value: `0x${string}` }
        return { result: await sender.sendTransaction({ to, value: BigInt(value) }) }
      }
      if (method === 'solana_signMessage')
        return {
          result: {
            signature: sign(null, Buffer.from((params as { message: string }).message), solanaKey).toString('hex'),
          },
        }
      const row = rows.find((entry) => entry.method === method)
      return row ? { result: row.result } : { error: { code: 4200, message: 'Unsupported' } }
    })

    // Compare the signatures.
    expect(await page.request({ chainId, method: 'personal_sign', params: ['0x68690a', signer.address] })).toBe(
      await signer.signMessage({ message: { raw: '0x68690a' } }),
    )
    expect(
      await page.request({ chainId, method: 'eth_signTypedData_v4', params: [signer.address, JSON.stringify(typed)] }),
    ).toBe(await signer.signTypedData(typed as never))
    // Check that the transaction is on the chain.
    const transaction = { from: signer.address, to: other.address, value: `0x${parseEther('0.001').toString(16)}` }
    const sent = await page.request({ chainId, method: 'eth_sendTransaction', params: [transaction] })
    const receipt = await createPublicClient({ chain, transport }).waitForTransactionReceipt({
      hash: sent as `0x${string}`,
    })
    expect(receipt).toMatchObject({ status: 'success', to: other.address.toLowerCase() })
    // Check that the Solana signature is valid.
    const message = 'Bread, please: ½'
    const { signature } = (await page.request({
      chainId: solana,
      method: 'solana_signMessage',
      params: { message, pubkey: '4Nd1m' },
    })) as { signature: string }
    const publicKey = createPublicKey(solanaKey)
    expect(verify(null, Buffer.from(message), publicKey, Buffer.from(signature, 'hex'))).toBe(true)
    // Check every other method.
    requests.length = 0
    const expected: unknown[] = []
    for (const [on, some] of [
      [chainId, wallet],
      [solana, solanaRows],
      [bitcoin, bitcoinRows],
    ] as const)
      for (const { method, params, result } of some) {
        expected.push([on, method, params])
        expect([method, await page.request({ chainId: on, method, params })]).toEqual([method, result])
      }
    expect(requests).toEqual(expected)
  })

  test(`${way}: the page receives the wallet’s error codes and rejects requests that the session does not allow`, async ({
    officialClient,
    ours,
    signers: [signer],
  }) => {
    const { page, wallet: hand } = await connected(
      way,
      { officialClient, ours },
      { asking, namespaces: allOf(signer.address) },
    )
    hand.answer(async ({ method }) =>
      method === 'personal_sign'
        ? { error: { code: 5000, message: 'User rejected.' } }
        : { error: { code: 4100, message: 'Not for you' } },
    )
    await expect(page.request({ chainId, method: 'personal_sign', params: [] })).rejects.toMatchObject({
      code: 5000,
      message: 'User rejected.',
    })
    await expect(page.request({ chainId: bitcoin, method: 'signPsbt', params: {} })).rejects.toMatchObject({
      code: 4100,
      message: 'Not for you',
    })
    // The page's client rejects requests whose method or chain is not part of the session.
    await expect(page.request({ chainId, method: 'eth_mine', params: [] })).rejects.toThrow()
    await expect(page.request({ chainId: 'eip155:5', method: 'personal_sign', params: [] })).rejects.toThrow()
    await page.ping()
  })
}
