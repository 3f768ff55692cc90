import type { TransferFee } from '@latchkey/core/adapter'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { returnsNothing } from '@latchkey/protocol/specificationConstants'
import * as v from 'valibot'
import type { Address, Chain, Client, Hex, Transport } from 'viem'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils'
import { readCode } from './contractCode.ts'
import { encodeErc20Transfer } from './encodeErc20Transfer.ts'

/** A transfer whose fee is estimated. */
export interface TransferToEstimate {
  readonly chain: string
  readonly from: string
  readonly to: string
  readonly amount: bigint
  /** The token contract's address. Absent for the network's currency. */
  readonly token: string | undefined
  /** The token's decimal places for which the amount was computed. */
  readonly decimals: number | undefined
  /** Whether the sender is a smart account, whose transactions have a higher fee. */
  readonly isSmartAccount: boolean
}

/** The gas of a simple payment to an EOA. Wallets use it as the limit without a margin. */
const simplePaymentGas = 21_000n
/** A priority fee that wallets commonly offer, even where the node suggests less, in wei. */
const commonTip = 1_500_000_000n
/** The additional gas of a user operation (ERC-4337), and of deploying the account with the first one. */
const userOperationGas = 150_000n
const deploymentGas = 450_000n

/**
 * Reads the fee of a transfer. The maximum includes twice the base fee, which can rise until the transaction is in a block, and
 * a higher priority fee, because each wallet chooses its own.
 *
 * @throws {LatchkeyError} `send/would-fail` if the transfer would fail, or if the token's decimals differ from `decimals`.
 */
export async function readTransferFee(
  client: Client<Transport, Chain | undefined>,
  transfer: TransferToEstimate,
): Promise<TransferFee> {
  const { chain, from, to, amount, token, decimals, isSmartAccount } = transfer
  const call = token
    ? { from, to: token, data: encodeErc20Transfer({ to, amount }) }
    : { from, to, value: `0x${amount.toString(16)}` }
  const [gas, prices, overhead, dataFee, withheld] = await Promise.all([
    estimateGas(client, call),
    readGasPrices(client),
    isSmartAccount ? userOperationOverhead(client, from) : 0n,
    readDataFee(client, 'data' in call ? call.data.length / 2 : 0),
    token ? readWithheld(client, { ...transfer, token, call }) : undefined,
    token ? assertTransfers(client, { chain, token, call }) : undefined,
    token && decimals !== undefined ? assertDecimals(client, { token, decimals }) : undefined,
  ])
  // Wallets add a margin to the gas limit of everything but a simple payment.
  const limit = gas === simplePaymentGas && !isSmartAccount ? gas : ((gas + overhead) * 3n) / 2n
  return {
    amount: (gas + overhead) * prices.expected + dataFee,
    maxAmount: limit * prices.max + dataFee * 2n,
    ...(withheld !== undefined && { withheld }),
  }
}

const balanceAbi = parseAbi(['function balanceOf(address) view returns (uint256)'])

/**
 * Returns the amount that a token withholds: the difference between the amount and the increase of the recipient's balance.
 * `undefined` if the node cannot simulate calls that depend on each other (`eth_simulateV1`), which few nodes can.
 */
async function readWithheld(
  client: Client<Transport, Chain | undefined>,
  { from, to, amount, token, call }: TransferToEstimate & { readonly token: string; readonly call: object },
): Promise<bigint | undefined> {
  // Without a configured chain, the client reads through the wallet, which might not support the method.
  if (from.toLowerCase() === to.toLowerCase() || !client.chain) return undefined
  const balance = { from, to: token, data: encodeFunctionData({ abi: balanceAbi, args: [to as Address] }) }
  const params = [{ blockStateCalls: [{ calls: [balance, call, balance] }] }, 'latest']
  const blocks: unknown = await client
    .request({ method: 'eth_simulateV1', params } as never, { retryCount: 0 })
    .catch(() => undefined)
  const simulated = v.safeParse(simulation, blocks)
  if (!simulated.success) return undefined
  const [{ calls }] = simulated.output
  const [before, , after] = calls
  const withheld = amount - (after.returnData - before.returnData)
  // Ignore rounding differences of up to 0.01%, because the balances of some tokens are computed from shares.
  return withheld * 10_000n > amount ? withheld : 0n
}

const simulatedCall = v.object({ status: v.literal('0x1'), returnData: v.string() })
const simulatedBalance = v.object({
  status: v.literal('0x1'),
  returnData: v.pipe(
    v.string(),
    v.regex(/^0x[0-9a-f]{64}$/i),
    v.transform((value) => BigInt(value)),
  ),
})
const simulation = v.tuple([v.object({ calls: v.strictTuple([simulatedBalance, simulatedCall, simulatedBalance]) })])

async function estimateGas(client: Client, call: object): Promise<bigint> {
  try {
    return quantity(await client.request({ method: 'eth_estimateGas', params: [call as never] }))
  } catch (error) {
    const reason = revertReason(error)
    throw reason === undefined ? error : accountFailure('send/would-fail', { reason }, { cause: error })
  }
}

/** Returns the expected and the maximum gas price, in wei. */
async function readGasPrices(client: Client): Promise<{ expected: bigint; max: bigint }> {
  const block = await client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  const base = block?.baseFeePerGas
  if (!base) {
    const price = quantity(await client.request({ method: 'eth_gasPrice' }))
    return { expected: price, max: (price * 5n) / 4n }
  }
  const tip = await client
    .request({ method: 'eth_maxPriorityFeePerGas' })
    .then(quantity)
    .catch(() => 1_000_000_000n)
  const highestTip = tip * 2n > commonTip ? tip * 2n : commonTip
  return { expected: quantity(base) + tip, max: quantity(base) * 2n + highestTip }
}

async function userOperationOverhead(client: Client, account: string): Promise<bigint> {
  const code = await readCode(client, account)
  return code === '0x' ? userOperationGas + deploymentGas : userOperationGas
}

const oracleAbi = parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)'])
/** The size of a transaction without its calldata, in bytes. */
const transactionBytes = 120

/** Returns the fee for publishing the transaction on the parent chain, which only OP Stack chains charge separately. */
async function readDataFee(client: Client<Transport, Chain | undefined>, dataBytes: number): Promise<bigint> {
  const oracle = client.chain?.contracts?.gasPriceOracle
  if (!oracle || !('address' in oracle)) return 0n
  const data = encodeFunctionData({ abi: oracleAbi, args: [BigInt(transactionBytes + dataBytes)] })
  const answer = await client.request({
    method: 'eth_call',
    params: [{ to: (oracle as { address: Address }).address, data }, 'latest'],
  })
  return decodeFunctionResult({ abi: oracleAbi, data: answer })
}

const confirmingAbi = parseAbi(['function transfer(address, uint256) returns (bool)'])

/**
 * Simulates a token transfer. The standard prescribes that `transfer` returns `true`, but Tether's contracts and some other
 * tokens return nothing. A contract that is not known to be such a token must at least exist: without a contract, the call
 * succeeds and does nothing.
 */
async function assertTransfers(
  client: Client,
  { chain, token, call }: { readonly chain: string; readonly token: string; readonly call: object },
): Promise<void> {
  const answer = await client
    .request({ method: 'eth_call', params: [call as never, 'latest'] })
    .catch((error: unknown): Hex => {
      const reason = revertReason(error)
      throw reason === undefined ? error : accountFailure('send/would-fail', { reason }, { cause: error })
    })
  if (answer === '0x') {
    if (returnsNothing(chain, token) || (await readCode(client, token)) !== '0x') return
    throw accountFailure('send/would-fail', { reason: 'no-token' })
  }
  // A contract can return anything. Everything but a boolean is treated like `false`.
  const transfers = /^0x[0-9a-f]{64,}$/i.test(answer) && decodeTransfers(answer)
  if (!transfers) throw accountFailure('send/would-fail', { reason: 'token-refuses' })
}

const decimalsAbi = parseAbi(['function decimals() view returns (uint8)'])

/** Rejects if the contract's decimals differ from those of the displayed balance, which might not come from the network. */
async function assertDecimals(
  client: Client,
  { token, decimals }: { readonly token: string; readonly decimals: number },
): Promise<void> {
  const call = { to: token as Address, data: encodeFunctionData({ abi: decimalsAbi }) }
  const answer = await client.request({ method: 'eth_call', params: [call, 'latest'] })
  if (!/^0x[0-9a-f]{64}$/i.test(answer) || BigInt(answer) !== BigInt(decimals))
    throw accountFailure('send/would-fail', { reason: 'decimals' })
}

function decodeTransfers(data: Hex): boolean {
  try {
    return decodeFunctionResult({ abi: confirmingAbi, data })
  } catch {
    return false
  }
}

/**
 * Returns the message of a node's error if it means that the call would fail. `undefined` for other errors, such as timeouts.
 */
function revertReason(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++) {
    const { code, details, message } = cause as Error & { code?: unknown; details?: unknown }
    const text = typeof details === 'string' ? details : message
    if (code === 3 || /revert|insufficient funds|out of gas|invalid opcode|exceeds allowance/i.test(text))
      return text.slice(0, 200)
  }
  return undefined
}

/** Parses a number from the node. */
function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value))
    throw new LatchkeyError('wallet/failed', { message: 'The node returned an invalid number.' })
  return BigInt(value)
}
