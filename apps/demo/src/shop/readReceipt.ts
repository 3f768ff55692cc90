import {
  type Address,
  createPublicClient,
  erc20Abi,
  type Hex,
  http,
  isAddressEqual,
  parseEventLogs,
  verifyMessage,
} from 'viem'
import type { Environment, EnvironmentChain } from '../environment.ts'
import { shopAddress } from './products.ts'

/** A payment as recorded on the chain. */
export interface PaymentReceipt {
  readonly from: Address
  readonly block: bigint
  readonly at: Date
  /** The received amount, such as `6.80 TUSD`. */
  readonly amount: string
  readonly fee: string
}

/** Waits until the transaction `hash` is mined, then returns the payment. Throws if the transaction did not pay the shop. */
export async function readReceipt({
  world,
  chain,
  hash,
}: {
  world: Environment
  chain: EnvironmentChain
  hash: Hex
}): Promise<PaymentReceipt> {
  const reader = createPublicClient({ chain, transport: http(), pollingInterval: 250 })
  const receipt = await reader.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error('The chain rejected this payment.')
  const [transaction, block] = await Promise.all([
    reader.getTransaction({ hash }),
    reader.getBlock({ blockNumber: receipt.blockNumber }),
  ])
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs })
  const toTill = transfers.find(
    (log) => isAddressEqual(log.address, world.token.address) && isAddressEqual(log.args.to, shopAddress),
  )
  const inEther = transaction.to !== null && isAddressEqual(transaction.to, shopAddress)
  if (!toTill && !inEther) throw new Error('This transaction paid someone else.')
  return {
    from: receipt.from,
    block: receipt.blockNumber,
    at: new Date(Number(block.timestamp) * 1000),
    amount: toTill
      ? `${exact(toTill.args.value, world.token.decimals, 2)} ${world.token.symbol}`
      : `${exact(transaction.value, 18, 6)} ETH`,
    fee: `${exact(receipt.gasUsed * receipt.effectiveGasPrice, 18, 6)} ETH`,
  }
}

/** Returns the message that the customer signs to pick up an order. */
export function pickupMessage(hash: Hex): string {
  return `Crumb bakery\n\nI am here for the order paid in\n${hash}`
}

/** Whether `signature` is a signature of the pickup message by the account `from`. */
export function verifyPickupSignature({
  hash,
  from,
  signature,
}: {
  hash: Hex
  from: Address
  signature: Hex
}): Promise<boolean> {
  return verifyMessage({ address: from, message: pickupMessage(hash), signature })
}

function exact(value: bigint, decimals: number, places: number): string {
  const unit = 10n ** BigInt(decimals)
  const rest = String(value % unit).padStart(decimals, '0')
  return `${value / unit}.${rest.slice(0, places)}`
}
