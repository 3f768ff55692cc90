import type { ChainId } from '@latchkey/protocol/caip'
import type { Hex, SignedAuthorization } from 'viem'
import type { Account } from '../accounts.ts'
import type { House } from '../house.ts'
import { eip155Signer } from '../keys/signers/eip155.ts'
import type { Call } from '../readable/call.ts'
import { Refusal } from '../refusal.ts'
import type { RpcAsked } from '../requests/asked.ts'
import type { OpenWallet } from '../wallet.ts'
import { type Acting, actingKey, actingSafe } from './acting.ts'
import { type Bundler, createBundler, type OperationReceipt } from './bundler.ts'
import { type PreparedOperation, prepareOperation } from './operation.ts'

/** A paymaster that a page has named for its calls (ERC-7677). */
export interface NamedPaymaster {
  readonly url: string
  readonly context?: unknown
}

/** How calls are made as one through a bundler: what to ask first, and what a yes does. */
export interface OperationDeed {
  prepare(): Promise<PreparedOperation>
  /** Signs what was shown, and hands it over; answers with the operation's hash. */
  perform(prepared: PreparedOperation): Promise<Hex>
}

/** Calls as one user operation of `account`: of its contract, or of the key with code at its own address. */
export function operationDeed(
  house: House,
  open: OpenWallet,
  {
    asked,
    account,
    calls,
    paymaster,
  }: {
    asked: RpcAsked
    account: Account
    calls: readonly Call[]
    paymaster: NamedPaymaster | undefined
  },
): OperationDeed {
  const { rpc } = house
  const { chain } = asked
  const bundler = bundlerOf(asked)
  // An address of our own making.
  const key = open.addresses.eip155 as Hex
  return {
    async prepare() {
      if (calls.some(({ to }) => to === undefined)) throw new Refusal('This account cannot make contracts')
      const { paymasters, sponsored } = await house.config()
      if (paymaster && !paymasters.includes(originOf(paymaster.url)))
        throw new Refusal('The page names a paymaster that is not allowed here')
      const acting: Acting = await (account.type === 'smartAccount'
        ? actingSafe({ rpc, chain, owner: key })
        : actingKey({ rpc, chain, key }))
      return prepareOperation({
        rpc,
        bundler,
        chain,
        acting,
        calls,
        paymasterUrl: paymaster?.url,
        paymasterContext: paymaster?.context,
        sponsored: sponsored.includes(chain),
      })
    },
    async perform({ operation, acting }) {
      const signer = eip155Signer(open.vault)
      const chainId = Number(chain.slice('eip155:'.length))
      const authorization: SignedAuthorization | undefined =
        acting.authorizing && (await signer.signAuthorization(acting.authorizing))
      const signature = await acting.sign(operation, { signer, chainId, authorization })
      return bundler.send(operation, { acting, signature, authorization })
    },
  }
}

/** The bundler that a request is for. */
export function bundlerOf({ chain, origin }: { chain: ChainId; origin: string }): Bundler {
  return createBundler({ fetch: (input, init) => globalThis.fetch(input, init), chain, page: origin })
}

const lookMs = 1_000
const waitMs = 5 * 60_000

/** The hash of the transaction that an operation became part of; throws when it failed, or was not taken in five minutes. */
export async function transactionOf(bundler: Bundler, hash: Hex): Promise<Hex> {
  const receipt = await receiptOf(bundler, hash)
  if (!receipt.success)
    throw new Refusal(receipt.reason ? `The transaction failed: ${receipt.reason}` : 'The transaction failed')
  return receipt.receipt.transactionHash
}

async function receiptOf(bundler: Bundler, hash: Hex): Promise<OperationReceipt> {
  const looks = waitMs / lookMs
  for (let look = 0; look < looks; look += 1) {
    // A question that got lost is asked again: what was handed over is on its way.
    const receipt = await bundler.receipt(hash).catch(() => undefined)
    if (receipt) return receipt
    await new Promise((resolve) => setTimeout(resolve, look === 0 ? 300 : lookMs))
  }
  throw new Refusal(`The network did not take the transaction in time. It may still do so: ${hash}`)
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
