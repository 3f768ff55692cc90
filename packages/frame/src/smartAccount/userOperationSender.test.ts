import { fakeClock } from '@latchkey/protocol/testing'
import { createVaultFixture, seededEnvironment } from '@latchkey/vault/testing'
import { concat, type Hex, hexToNumber } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import { afterEach, expect, test, vi } from 'vitest'
import { sampleNode } from '../decoders/testing/sampleNode.ts'
import type { FrameContext } from '../frameContext.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import type { WalletAccount } from '../wallet/walletAccounts.ts'
import { getSafe } from './safe.ts'
import { createUserOperationSender } from './userOperationSender.ts'

const key: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const friend: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const safe: WalletAccount = { type: 'smartAccount', address: getSafe(key).address }
const eoa: WalletAccount = { type: 'eoa', address: key }

afterEach(() => vi.unstubAllGlobals())

/** Responses of the bundler and the paymaster by method. */
const answers: Readonly<Record<string, unknown>> = {
  pimlico_getUserOperationGasPrice: { fast: { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' } },
  eth_estimateUserOperationGas: { callGasLimit: '0x1', verificationGasLimit: '0x1', preVerificationGas: '0x1' },
  pm_getPaymasterStubData: { paymaster: friend, isFinal: true },
}

/** Prepares a call from `account`. Returns parts of the result, and the query parameters of the requests to a paymaster. */
async function prepare(account: WalletAccount, { url, sponsored = false }: { url?: string; sponsored?: boolean } = {}) {
  const paid: object[] = []
  vi.stubGlobal('fetch', async (input: string, { body }: { body: string }) => {
    const { method } = JSON.parse(body) as { method: string }
    const query = new URL(input, 'https://keys.example').searchParams
    if (method.startsWith('pm_')) paid.push(Object.fromEntries(query))
    return Response.json({ jsonrpc: '2.0', id: 1, result: answers[method] })
  })
  const node = sampleNode({ contracts: {} })
  const context = {
    config: async () => ({ paymasters: ['https://pay.example'], sponsored: sponsored ? ['eip155:1'] : [] }),
    rpc: async (chain: `eip155:${string}`, method: string, params: unknown) =>
      /^eth_get(Balance|TransactionCount)$/.test(method) ? '0x5' : node(chain, method, params as never),
  } as unknown as FrameContext
  const open = { addresses: { eip155: key } } as unknown as OpenedWallet
  const request = { id: '1', origin: 'https://shop.example', chain: 'eip155:1', method: 'x', params: [] } as const
  const calls = [{ to: friend, value: 1n, data: '0x' as const }]
  const paymaster = url === undefined ? undefined : { url }
  const { operation, payer, begins } = await createUserOperationSender(context, open, {
    request,
    account,
    calls,
    paymaster,
  }).prepare()
  return { sender: operation.sender, payer, begins, paid }
}

test('calls are made by the account that the page requested, either the Safe or the EOA', async () => {
  expect(await prepare(safe)).toEqual({ sender: safe.address, payer: undefined, begins: 'contract', paid: [] })
  expect(await prepare(eoa)).toEqual({ sender: key, payer: undefined, begins: 'code', paid: [] })
})

test('the page’s paymaster pays if the page specified one, and otherwise the operator’s paymaster pays', async () => {
  const query = { chainId: 'eip155:1', page: 'https://shop.example' }
  const url = 'https://pay.example/v2?key=1'
  expect(await prepare(safe, { url, sponsored: true })).toMatchObject({ payer: 'page', paid: [{ ...query, url }] })
  const { payer, paid } = await prepare(safe, { sponsored: true })
  expect({ payer, paid }).toEqual({ payer: 'operator', paid: [query] })
})

test('the first operation of an EOA includes a signed EIP-7702 authorization, and later operations do not', async () => {
  const { vault } = await createVaultFixture(seededEnvironment(41, fakeClock()))
  const address = vault.record.addresses.eip155 as Hex
  const code: Hex = '0xe6Cae83BdE06E4c305530e199D7217f42808555B'
  const sent: {
    readonly signature: Hex
    readonly eip7702Auth?: Record<'address' | 'chainId' | 'nonce' | 'r' | 's', Hex>
  }[] = []
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const { method, params } = JSON.parse(body) as { method: string; params: (typeof sent)[number][] }
    if (method === 'eth_sendUserOperation' && params[0]) sent.push(params[0])
    const result = method === 'eth_sendUserOperation' ? '0xab' : answers[method]
    return Response.json({ jsonrpc: '2.0', id: 1, result })
  })
  const node = sampleNode({ contracts: {} })
  const send = async (accountCode: Hex) => {
    const context = {
      config: async () => ({ paymasters: [], sponsored: [] }),
      rpc: async (chain: `eip155:${string}`, method: string, params: readonly unknown[]) => {
        if (method === 'eth_getCode' && params[0] === address) return accountCode
        return /^eth_get(Balance|TransactionCount)$/.test(method) ? '0x5' : node(chain, method, params as never)
      },
    } as unknown as FrameContext
    const sender = createUserOperationSender(context, { vault, addresses: vault.record.addresses } as never, {
      request: { id: '1', origin: 'https://shop.example', chain: 'eip155:137', method: 'x', params: [] },
      account: { type: 'eoa', address },
      calls: [{ to: friend, value: 1n, data: '0x' }],
      paymaster: undefined,
    })
    expect(await sender.perform(await sender.prepare())).toBe('0xab')
    return sent.at(-1)
  }
  const authorization = (await send('0x'))?.eip7702Auth
  expect(authorization).toMatchObject({ address: code, chainId: '0x89', nonce: '0x5' })
  if (!authorization) return
  const signed = { address: code, chainId: 137, nonce: 5, r: authorization.r, s: authorization.s }
  const signers = await Promise.all(
    [0, 1].map((yParity) => recoverAuthorizationAddress({ authorization: { ...signed, yParity } })),
  )
  expect(signers[hexToNumber((authorization as unknown as { yParity: Hex }).yParity)]).toBe(address)
  expect(await send(concat(['0xef0100', code]))).not.toHaveProperty('eip7702Auth')
})
