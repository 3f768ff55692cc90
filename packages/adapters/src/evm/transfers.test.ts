import type { Connector } from '@latchkey/core/adapter'
import { scriptedWallet, testAccounts } from '@latchkey/testing'
import { type Anvil, deployExchange, startAnvil, type TestExchange } from '@latchkey/testing/node'
import { createPublicClient, createWalletClient, type Hex, http, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evm } from './evmAdapter.ts'
import { eip1193 } from './evmConnector.ts'
import type { EvmSession } from './evmSession.ts'
import { replacementOf } from './replaceTransaction.ts'

const [alice, bob] = testAccounts
const never = new AbortController().signal
const stranger = '0x00000000000000000000000000000000000A11ce'

let anvil: Anvil
let exchange: TestExchange
beforeAll(async () => {
  anvil = await startAnvil()
  exchange = await deployExchange({ chain: anvil.chain })
}, 120_000)
afterAll(() => anvil?.stop())

const reader = () => createPublicClient({ chain: anvil.chain, transport: http() })
const signer = () => createWalletClient({ account: bob.address, chain: anvil.chain, transport: http() })

async function connected() {
  const wallet = scriptedWallet({ chains: [anvil.chain] })
  const adapter = evm({
    chains: [anvil.chain],
    wallets: [eip1193({ id: 'own', name: 'Own', provider: wallet.provider })],
  })
  const connector = await new Promise<Connector<'eip155'>>((resolve) => adapter.discover(resolve, never))
  const session = (await connector.connect({ signal: never })) as EvmSession
  const [network] = adapter.networks
  if (!network || !adapter.transferFee || !adapter.isContract) throw new Error('The adapter supports transfers.')
  const [account] = session.accounts
  const common = { network, session, signal: never }
  const { transferFee, isContract } = adapter
  return {
    adapter,
    session,
    account,
    feeOf: (params: { to?: string; amount?: bigint; token?: string; decimals?: number }) =>
      transferFee({ account, to: bob.address, amount: 1n, ...params, ...common }),
    isContract: (address: string) => isContract({ address, ...common }),
  }
}

async function deploy(code: Hex): Promise<string> {
  // Init code that deploys `code`.
  const size = (code.length - 2) / 2
  const data = `0x60${size.toString(16).padStart(2, '0')}80600b6000396000f3${code.slice(2)}` as Hex
  const hash = await signer().deployContract({ abi: [], bytecode: data })
  const { contractAddress } = await reader().waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('The contract was not deployed.')
  return contractAddress
}

async function balanceOf(token: string, owner: string): Promise<bigint> {
  const abi = parseAbi(['function balanceOf(address) view returns (uint256)'])
  return reader().readContract({ address: token as Hex, abi, functionName: 'balanceOf', args: [owner as Hex] })
}

test('a payment costs at most the maximum fee, and everything but the maximum fee can be sent', async () => {
  const { feeOf, session, account } = await connected()
  const [fee, before] = await Promise.all([feeOf({}), reader().getBalance({ address: alice.address })])
  expect(fee.maxAmount).toBeGreaterThanOrEqual(fee.amount)
  const sent = await session.can.send?.({ from: account, to: bob.address, amount: before - fee.maxAmount })
  const receipt = await reader().waitForTransactionReceipt({ hash: sent?.hash as Hex })
  expect(receipt.status).toBe('success')
  const paid = receipt.gasUsed * receipt.effectiveGasPrice
  expect(paid).toBeLessThanOrEqual(fee.maxAmount)
  expect(await reader().getBalance({ address: alice.address })).toBe(fee.maxAmount - paid)
  const back = await signer().sendTransaction({ to: alice.address, value: parseEther('5000') })
  await reader().waitForTransactionReceipt({ hash: back })
})

test('a token whose transfer returns nothing is simulated and sent like any other [R9.10]', async () => {
  const { feeOf, session, account } = await connected()
  for (const { address, decimals } of [exchange.tokens.usdt, exchange.tokens.usdc]) {
    const token = `eip155:${anvil.chain.id}:${address}`
    const before = await balanceOf(address, bob.address)
    const fee = await feeOf({ token, decimals, amount: 5n })
    const sent = await session.can.send?.({ from: account, to: bob.address, amount: 5n, token })
    const receipt = await reader().waitForTransactionReceipt({ hash: sent?.hash as Hex })
    expect(receipt.gasUsed * receipt.effectiveGasPrice).toBeLessThanOrEqual(fee.maxAmount)
    expect((await balanceOf(address, bob.address)) - before).toBe(5n)
  }
})

test('Tether’s contract on Ethereum is known to return nothing, whatever the case of its address, so its code is not read [R9.10]', async () => {
  const tether = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
  const ethereum = await startAnvil({ chainId: 1 })
  try {
    const client = (chain: typeof anvil.chain) => createPublicClient({ chain, transport: http() })
    const code = '0x00'
    for (const chain of [ethereum.chain, anvil.chain])
      await client(chain).request({ method: 'anvil_setCode' as never, params: [tether, code] as never })
    const codeReads: string[] = []
    const counting: typeof fetch = (input, init) => {
      if (String(init?.body).includes('eth_getCode')) codeReads.push(String(init?.body))
      return fetch(input, init)
    }
    const feeOn = async (chain: typeof anvil.chain, address: string) => {
      const adapter = evm({ chains: [chain] })
      const [network] = adapter.networks
      const token = `eip155:${chain.id}:${address}`
      const account = `eip155:${chain.id}:${alice.address}` as const
      const common = { network: network as never, signal: never, fetch: counting }
      return adapter.transferFee?.({ account, to: bob.address, amount: 1n, token, ...common })
    }
    for (const address of [tether, tether.toLowerCase(), `0x${tether.slice(2).toUpperCase()}`])
      expect((await feeOn(ethereum.chain, address))?.amount).toBeGreaterThan(0n)
    // `returnsNothing()` lists Tether's contract on Ethereum, so the contract's code is not read.
    expect(codeReads).toEqual([])
    await feeOn(anvil.chain, tether)
    expect(codeReads).toHaveLength(1)
  } finally {
    await ethereum.stop()
  }
})

test.each([
  [
    'more than the balance',
    () => ({ token: exchange.tokens.usdc.address, amount: 10n ** 30n }),
    /exceeds|insufficient|revert/i,
  ],
  ['a token without a contract, which would do nothing', () => ({ token: stranger }), /^no-token$/],
  [
    'a token with different decimals than displayed',
    () => ({ token: exchange.tokens.usdc.address, decimals: 8 }),
    /^decimals$/,
  ],
])('estimating the fee for %s rejects because the transfer would fail', async (_, params, reason) => {
  const { feeOf } = await connected()
  await expect(feeOf(params())).rejects.toMatchObject({
    code: 'send/would-fail',
    details: { reason: expect.stringMatching(reason) },
  })
})

test('a transfer also fails if the token returns `false` instead of reverting', async () => {
  const { feeOf } = await connected()
  // Returns 32 zero bytes.
  const token = await deploy('0x60206000f3')
  await expect(feeOf({ token })).rejects.toMatchObject({ details: { reason: 'token-refuses' } })
})

/** A token that withholds a tenth of each transfer. Each balance is stored in the slot whose number is the address. */
const feeToken =
  '0x60003560e01c806370a08231146024578063a9059cbb14603157600660005260206000f35b6004355460005260206000f35b335460243590033355600a60096024350204600435540160043555600160005260206000f3'

test('the amount that a token withholds is determined by simulation before the transfer, and is unknown if the node cannot simulate', async () => {
  const { account, feeOf, session, adapter } = await connected()
  const token = '0x00000000000000000000000000000000000fee00'
  const node = reader()
  const slot = `0x${alice.address.slice(2).padStart(64, '0')}`
  await node.request({ method: 'anvil_setCode' as never, params: [token, feeToken] as never })
  const million = `0x${(1_000_000).toString(16).padStart(64, '0')}`
  await node.request({ method: 'anvil_setStorageAt' as never, params: [token, slot, million] as never })
  const fee = await feeOf({ token, decimals: 6, amount: 1_000n })
  expect(fee.withheld).toBe(100n)
  const sent = await session.can.send?.({ from: account, to: bob.address, amount: 1_000n, token })
  await node.waitForTransactionReceipt({ hash: sent?.hash as Hex })
  expect(await balanceOf(token, bob.address)).toBe(900n)

  expect((await feeOf({ token: exchange.tokens.usdc.address, amount: 5n })).withheld).toBe(0n)
  expect(await feeOf({})).not.toHaveProperty('withheld')
  // A transfer to the sender's own address does not show how much another recipient would receive.
  expect(await feeOf({ token, to: alice.address, amount: 5n })).not.toHaveProperty('withheld')

  const answers: unknown[] = [{ error: { code: -32601, message: 'no such method' } }, { result: [] }, { result: 5 }]
  for (const answer of answers) {
    const withoutSimulation: typeof fetch = async (input, init) => {
      const { id, method } = JSON.parse(String(init?.body))
      return method === 'eth_simulateV1'
        ? Response.json({ jsonrpc: '2.0', id, ...(answer as object) })
        : fetch(input, init)
    }
    const [network] = adapter.networks
    const params = { account, to: bob.address, amount: 5n, token, network: network as never, signal: never }
    const unknown = await adapter.transferFee?.({ ...params, fetch: withoutSimulation })
    expect(unknown?.amount).toBeGreaterThan(0n)
    expect(unknown).not.toHaveProperty('withheld')
  }
})

test('a payment to a contract that does not accept payments would fail', async () => {
  const { feeOf } = await connected()
  const contract = await deploy('0x60006000fd')
  await expect(feeOf({ to: contract })).rejects.toMatchObject({ code: 'send/would-fail' })
})

test('a pending EIP-1559 or legacy transaction from a node is verified, and a modified one is rejected', async () => {
  const client = reader()
  await client.request({ method: 'evm_setAutomine' as never, params: [false] as never })
  const requests = [
    { value: '0x5', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' },
    { data: '0x1234', gas: '0xffff', gasPrice: '0x77359400' },
  ]
  const hashes: string[] = []
  for (const fields of requests) {
    const transaction = { from: alice.address, to: bob.address, ...fields }
    const hash: Hex = await client.request({ method: 'eth_sendTransaction' as never, params: [transaction] as never })
    hashes.push(hash)
    const found = await client.request({ method: 'eth_getTransactionByHash', params: [hash] })
    const own = { hash, sender: alice.address, cancels: false }
    expect(await replacementOf(found, own)).toMatchObject({ to: bob.address.toLowerCase(), nonce: found?.nonce })
    await expect(replacementOf({ ...found, to: stranger }, own)).rejects.toMatchObject({ code: 'send/not-verified' })
  }
  await client.request({ method: 'evm_setAutomine' as never, params: [true] as never })
  await client.request({ method: 'evm_mine' as never })
  for (const hash of hashes) await client.waitForTransactionReceipt({ hash: hash as Hex })
})

test('contracts are distinguished from EOAs, including EOAs that delegate to a contract (EIP-7702)', async () => {
  const { isContract } = await connected()
  expect(await isContract(exchange.tokens.usdc.address)).toBe(true)
  expect(await isContract(stranger)).toBe(false)
  const delegating = '0x000000000000000000000000000000000000dE1e'
  const code = `0xef0100${exchange.tokens.usdc.address.slice(2)}`
  await reader().request({ method: 'anvil_setCode' as never, params: [delegating, code] as never })
  expect(await isContract(delegating)).toBe(false)
})

test('an address is checksummed, whatever its case', async () => {
  const { adapter } = await connected()
  for (const text of [alice.address.toLowerCase(), `0x${alice.address.slice(2).toUpperCase()}`])
    expect(await adapter.checksumAddress?.(text)).toBe(alice.address)
})

test('a transfer from an account or network other than the active one is rejected without a request to the wallet', async () => {
  const { session } = await connected()
  const before = await reader().getBalance({ address: bob.address })
  for (const from of [`eip155:${anvil.chain.id}:${bob.address}`, `eip155:1:${alice.address}`] as const)
    await expect(session.can.send?.({ from, to: bob.address, amount: 1n })).rejects.toMatchObject({
      code: 'send/changed',
    })
  expect(await reader().getBalance({ address: bob.address })).toBe(before)
})
