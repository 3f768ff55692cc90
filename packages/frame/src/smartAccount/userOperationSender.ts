import type { ChainId } from '@latchkey/protocol/caip'
import { eip155Signer } from '@latchkey/vault/signers/eip155'
import type { Hex, SignedAuthorization } from 'viem'
import type { Call } from '../decoders/decodeCall.ts'
import type { FrameContext } from '../frameContext.ts'
import { PublicError } from '../publicError.ts'
import type { WalletRpcRequest } from '../rpcRequests/walletRpcRequest.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import type { WalletAccount } from '../wallet/walletAccounts.ts'
import { type Bundler, createBundler, type OperationReceipt } from './bundler.ts'
import { type PreparedUserOperation, prepareUserOperation } from './prepareUserOperation.ts'
import { createEip7702Account, createSafeAccount, type SmartAccount } from './smartAccount.ts'

/** A paymaster that a page specifies for its calls (ERC-7677). */
export interface NamedPaymaster {
  readonly url: string
  readonly context?: unknown
}

/** Prepares and sends calls as one user operation. */
export interface UserOperationSender {
  prepare(): Promise<PreparedUserOperation>
  /** Signs the prepared operation and submits it. Resolves to its hash. */
  perform(prepared: PreparedUserOperation): Promise<Hex>
}

/** Creates a sender for one user operation of `account`, which is either a Safe or an EOA with EIP-7702 delegation. */
export function createUserOperationSender(
  context: FrameContext,
  wallet: OpenedWallet,
  {
    request,
    account,
    calls,
    paymaster,
  }: {
    request: WalletRpcRequest
    account: WalletAccount
    calls: readonly Call[]
    paymaster: NamedPaymaster | undefined
  },
): UserOperationSender {
  const { rpc } = context
  const { chain } = request
  const bundler = createPageBundler(request)
  // The wallet's own addresses are always valid hex.
  const key = wallet.addresses.eip155 as Hex
  return {
    async prepare() {
      if (calls.some(({ to }) => to === undefined)) throw new PublicError('This account cannot deploy contracts')
      const { paymasters, sponsored } = await context.config()
      if (paymaster && !paymasters.includes(originOf(paymaster.url)))
        throw new PublicError('The page requested a paymaster that is not allowed')
      const acting: SmartAccount = await (account.type === 'smartAccount'
        ? createSafeAccount({ rpc, chain, owner: key })
        : createEip7702Account({ rpc, chain, key }))
      return prepareUserOperation({
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
      const signer = eip155Signer(wallet.vault)
      const chainId = Number(chain.slice('eip155:'.length))
      const authorization: SignedAuthorization | undefined =
        acting.authorizing && (await signer.signAuthorization(acting.authorizing))
      const signature = await acting.sign(operation, { signer, chainId, authorization })
      return bundler.send(operation, { acting, signature, authorization })
    },
  }
}

/** Returns the bundler for a request's network and page. */
export function createPageBundler({ chain, origin }: { chain: ChainId; origin: string }): Bundler {
  return createBundler({ fetch: (input, init) => globalThis.fetch(input, init), chain, page: origin })
}

const pollIntervalMs = 1_000
const receiptTimeoutMs = 5 * 60_000

/**
 * Resolves to the hash of the transaction that includes an operation.
 * @throws {PublicError} if the operation fails or is not included within five minutes.
 */
export async function waitForTransaction(bundler: Bundler, hash: Hex): Promise<Hex> {
  const receipt = await waitForReceipt(bundler, hash)
  if (!receipt.success)
    throw new PublicError(receipt.reason ? `The transaction failed: ${receipt.reason}` : 'The transaction failed')
  return receipt.receipt.transactionHash
}

async function waitForReceipt(bundler: Bundler, hash: Hex): Promise<OperationReceipt> {
  const looks = receiptTimeoutMs / pollIntervalMs
  for (let look = 0; look < looks; look += 1) {
    // Failed requests are retried, because the operation has already been submitted.
    const receipt = await bundler.receipt(hash).catch(() => undefined)
    if (receipt) return receipt
    await new Promise((resolve) => setTimeout(resolve, look === 0 ? 300 : pollIntervalMs))
  }
  throw new PublicError(`The network did not include the transaction in time. It may still do so: ${hash}`)
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
