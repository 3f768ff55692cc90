import type { Connector } from '@latchkey/core/adapter'
import { scriptedWallet, testAccounts } from '@latchkey/testing'
import { type Anvil, deployTestToken, startAnvil, type TestToken } from '@latchkey/testing/node'
import { createPublicClient, createWalletClient, custom, encodeFunctionData, erc20Abi, http, verifyMessage } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evm } from './evmAdapter.ts'
import { eip1193 } from './evmConnector.ts'
import type { EvmSession } from './evmSession.ts'

const [alice, bob] = testAccounts
const never = new AbortController().signal

describe('on a real chain', () => {
  let first: Anvil
  let second: Anvil
  let token: TestToken
  beforeAll(async () => {
    ;[first, second] = await Promise.all([startAnvil(), startAnvil({ chainId: 1338, name: 'Second' })])
    token = await deployTestToken({ chain: first.chain })
  }, 60_000)
  afterAll(async () => {
    await Promise.all([first?.stop(), second?.stop()])
  })

  async function connected() {
    const wallet = scriptedWallet({ chains: [first.chain] })
    const adapter = evm({
      chains: [first.chain, second.chain],
      wallets: [eip1193({ id: 'own', name: 'Own', provider: wallet.provider })],
    })
    const connector = await new Promise<Connector<'eip155'>>((resolve) => adapter.discover(resolve, never))
    return { adapter, session: (await connector.connect({ signal: never })) as EvmSession }
  }
  const reader = () => createPublicClient({ chain: first.chain, transport: http() })

  test('a wallet connects, returns its account and signs a message [R3.15]', async () => {
    const { session } = await connected()
    expect(session.accounts).toEqual([`eip155:31337:${alice.address}`])
    const message = new TextEncoder().encode('A message')
    const signature = await session.can.signMessage?.({ account: session.accounts[0], message })
    const hex = `0x${Buffer.from(signature ?? []).toString('hex')}` as const
    expect(await verifyMessage({ address: alice.address, message: 'A message', signature: hex })).toBe(true)
  })

  test('a pending transaction has a nonce, and is replaced once another transaction with this nonce is in a block', async () => {
    const { adapter } = await connected()
    const client = createWalletClient({ account: bob.address, chain: first.chain, transport: http() })
    const request = (method: string, params: unknown[] = []) =>
      reader().request({ method: method as never, params: params as never })
    const common = { network: adapter.networks[0] as never, signal: never }
    const account = `eip155:${first.chain.id}:${bob.address}` as const
    await request('evm_setAutomine', [false])
    try {
      const nonce = await reader().getTransactionCount({ address: bob.address })
      const fees = { gas: 21_000n, maxPriorityFeePerGas: 10n ** 9n, maxFeePerGas: 10n ** 10n }
      const slow = await client.sendTransaction({ to: alice.address, value: 1n, nonce, ...fees })
      const sent = { by: account, nonce }
      const status = () => adapter.transactionStatus?.({ hash: slow, sent, ...common })
      expect(await adapter.transactionNonce?.({ hash: slow, account, ...common })).toBe(nonce)
      const other = `eip155:${first.chain.id}:${alice.address}` as const
      expect(await adapter.transactionNonce?.({ hash: slow, account: other, ...common })).toBeUndefined()
      expect(await status()).toBe('pending')
      const faster = { ...fees, maxPriorityFeePerGas: 2n * 10n ** 9n, maxFeePerGas: 2n * 10n ** 10n }
      const fast = await client.sendTransaction({ to: alice.address, value: 1n, nonce, ...faster })
      await request('evm_mine')
      expect(await adapter.transactionStatus?.({ hash: fast, sent, ...common })).toBe('done')
      expect(await status()).toBe('replaced')
      expect(await adapter.transactionNonce?.({ hash: slow, account, ...common })).toBeUndefined()
    } finally {
      await request('evm_setAutomine', [true])
    }
  })

  test('a transaction is pending until it is in a block, and then done or failed', async () => {
    const { adapter } = await connected()
    const client = createWalletClient({ account: bob.address, chain: first.chain, transport: http() })
    const status = (hash: string) =>
      adapter.transactionStatus?.({ hash, network: adapter.networks[0] as never, signal: never })
    const paid = await client.sendTransaction({ to: alice.address, value: 1n })
    await reader().waitForTransactionReceipt({ hash: paid })
    const reverted = await client.sendTransaction({ to: token.address, data: '0xdeadbeef', gas: 100_000n })
    await reader().waitForTransactionReceipt({ hash: reverted })
    expect([await status(paid), await status(reverted), await status(`0x${'0'.repeat(64)}`)]).toEqual([
      'done',
      'failed',
      'pending',
    ])
  })

  test('the balance is read from the chain, before and after a transfer [R1.5, R3.15]', async () => {
    const { session, adapter } = await connected()
    const balance = () =>
      adapter.balance?.({ account: session.accounts[0], network: adapter.networks[0] as never, session, signal: never })
    expect((await balance())?.value).toBe(await reader().getBalance({ address: alice.address }))
    const before = await reader().getBalance({ address: bob.address })
    const sent = await session.can.send?.({ to: bob.address, amount: 123n })
    await reader().waitForTransactionReceipt({ hash: sent?.hash as `0x${string}` })
    expect((await reader().getBalance({ address: bob.address })) - before).toBe(123n)
    expect((await balance())?.value).toBe(await reader().getBalance({ address: alice.address }))
  })

  test('a wallet sends a token', async () => {
    const { session } = await connected()
    const of = { address: token.address, abi: erc20Abi, functionName: 'balanceOf', args: [bob.address] } as const
    const before = await reader().readContract(of)
    const sent = await session.can.send?.({ to: bob.address, amount: 5n, token: token.address })
    await reader().waitForTransactionReceipt({ hash: sent?.hash as `0x${string}` })
    expect((await reader().readContract(of)) - before).toBe(5n)
  })

  test('a wallet sends any calldata with a value, from the account and chain that the page specifies', async () => {
    const { session } = await connected()
    const account = session.accounts[0]
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [bob.address, 7n] })
    const sent = await session.can.sendTransaction?.({ account, to: token.address, data })
    await reader().waitForTransactionReceipt({ hash: sent?.hash as `0x${string}` })
    const allowance = { abi: erc20Abi, functionName: 'allowance', args: [alice.address, bob.address] } as const
    expect(await reader().readContract({ address: token.address, ...allowance })).toBe(7n)
    const before = await reader().getBalance({ address: bob.address })
    const paid = await session.can.sendTransaction?.({ account, to: bob.address, value: 9n, gas: 50_000n })
    const hash = paid?.hash as `0x${string}`
    await reader().waitForTransactionReceipt({ hash })
    expect((await reader().getBalance({ address: bob.address })) - before).toBe(9n)
    expect(await reader().getTransaction({ hash })).toMatchObject({ gas: 50_000n, from: alice.address.toLowerCase() })

    const elsewhere = `eip155:1338:${alice.address}` as const
    await expect(
      session.can.sendTransaction?.({ account: elsewhere, to: bob.address, value: 1n }),
    ).rejects.toMatchObject({ code: 'network/unsupported' })
    const other = `eip155:31337:${bob.address}` as const
    await expect(session.can.sendTransaction?.({ account: other, to: bob.address, value: 1n })).rejects.toMatchObject({
      code: 'wallet/not-authorized',
    })
    for (const wrong of [{ to: '0x12' }, { to: bob.address, data: '0x123' }, { to: bob.address, value: -1n }])
      await expect(session.can.sendTransaction?.({ account, ...wrong })).rejects.toMatchObject({
        code: 'input/invalid',
      })
  })

  test('the decimal places and the symbol of a token are read from its contract', async () => {
    const { adapter } = await connected()
    const decimals = (address: string) =>
      adapter.tokenDecimals?.({ token: address, network: adapter.networks[0] as never, signal: never })
    expect(await decimals(token.address)).toBe(token.decimals)
    expect(await decimals(bob.address)).toBeUndefined()
    const symbol = (address: string) =>
      adapter.tokenSymbol?.({ token: address, network: adapter.networks[0] as never, signal: never })
    expect(await symbol(token.address)).toBe(token.symbol)
    expect(await symbol(bob.address)).toBeUndefined()
  })

  test('a token’s details and the account’s balance are read from its contract, and are undefined for other addresses', async () => {
    const { adapter } = await connected()
    const holding = (address: string, more: object = {}) =>
      adapter.tokenHolding?.({
        account: `eip155:${adapter.networks[0]?.id}:${alice.address}` as never,
        token: address,
        network: adapter.networks[0] as never,
        signal: never,
        ...more,
      })
    expect(await holding(token.address)).toEqual({
      name: token.name,
      symbol: token.symbol,
      decimals: token.decimals,
      amount: expect.any(BigInt),
    })
    expect((await holding(token.address))?.amount).toBeGreaterThan(0n)
    expect(await holding(bob.address)).toBeUndefined()
    const fetch = async () => Response.error()
    await expect(holding(token.address, { fetch })).rejects.toThrow()
  })

  test('switching to a network that the wallet does not have adds the network first', async () => {
    const { session, adapter } = await connected()
    await session.can.switchChain?.(adapter.networks[1] as never)
    expect(session.accounts).toEqual([`eip155:1338:${alice.address}`])
    expect(await session.request({ method: 'eth_chainId' })).toBe('0x53a')
  })

  test('viem works with the session’s provider before and after a network switch', async () => {
    const { session, adapter } = await connected()
    const client = createWalletClient({ transport: custom(session.provider as Parameters<typeof custom>[0]) })
    expect(await client.getAddresses()).toEqual([alice.address])
    const hash = await client.sendTransaction({
      account: alice.address,
      chain: first.chain,
      to: bob.address,
      value: 1n,
    })
    expect((await reader().waitForTransactionReceipt({ hash })).status).toBe('success')
    await session.can.switchChain?.(adapter.networks[1] as never)
    expect(await client.getChainId()).toBe(1338)
  })
})
