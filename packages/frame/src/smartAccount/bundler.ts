import type { ChainId } from '@latchkey/protocol/caip'
import { keysBundlerPath, keysFailure, keysPaymasterPath } from '@latchkey/protocol/http/keys'
import { readJsonBody, rpcAnswerMs } from '@latchkey/protocol/http/readResponseBody'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { type Hex, hexToBigInt, isHex, numberToHex, type SignedAuthorization } from 'viem'
import { sentence } from '../keysApiClient.ts'
import { PublicError } from '../publicError.ts'
import type { SmartAccount } from './smartAccount.ts'
import type { UnsignedUserOperation } from './unsignedUserOperation.ts'

type GasFields = Pick<UnsignedUserOperation, 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'> &
  Partial<Pick<UnsignedUserOperation, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>>
type PaymasterFields = Pick<UnsignedUserOperation, 'paymaster' | 'paymasterData'> &
  Partial<Pick<UnsignedUserOperation, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>>

/** The account and the network of a user operation. */
interface OperationTarget {
  readonly acting: SmartAccount
  readonly chainId: number
}
interface PaidOperationTarget extends OperationTarget {
  /** The paymaster URL specified by the page, or `undefined` for the operator's paymaster. */
  readonly url: string | undefined
  readonly context: unknown
}

/** A client for one network's bundler and for paymasters. All requests go through this origin's server. */
export interface Bundler {
  /** Resolves to the bundler's gas price in wei, or to `undefined` if the bundler does not report one. */
  fees(): Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint } | undefined>
  estimate(operation: UnsignedUserOperation, where: OperationTarget): Promise<GasFields>
  paymasterStub(
    operation: UnsignedUserOperation,
    paid: PaidOperationTarget,
  ): Promise<{ fields: PaymasterFields; isFinal: boolean }>
  paymasterData(operation: UnsignedUserOperation, paid: PaidOperationTarget): Promise<PaymasterFields>
  /** Submits the operation. Resolves to its hash. */
  send(
    operation: UnsignedUserOperation,
    signed: { acting: SmartAccount; signature: Hex; authorization: SignedAuthorization | undefined },
  ): Promise<Hex>
  receipt(hash: Hex): Promise<OperationReceipt | undefined>
  /** Sends any other request to the bundler. */
  ask(method: string, params: unknown): Promise<unknown>
}

/** The receipt of a user operation. */
export interface OperationReceipt {
  readonly success: boolean
  readonly reason?: string | undefined
  readonly logs: readonly unknown[]
  readonly receipt: Readonly<Record<string, unknown>> & { readonly transactionHash: Hex }
}

const hex = v.custom<Hex>(isHex)
const quantity = v.pipe(
  v.union([hex, v.pipe(v.number(), v.safeInteger(), v.minValue(0))]),
  v.transform((value) => (typeof value === 'number' ? BigInt(value) : hexToBigInt(value))),
)
const bytes = v.custom<Hex>((value) => typeof value === 'string' && /^0x([0-9a-f]{2}){0,20000}$/i.test(value))
const address = v.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value))

const answerSchema = v.object({
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ message: v.string() })),
})
const feesSchema = v.object({ fast: v.object({ maxFeePerGas: quantity, maxPriorityFeePerGas: quantity }) })
const gasSchema = v.object({
  callGasLimit: quantity,
  verificationGasLimit: quantity,
  preVerificationGas: quantity,
  paymasterVerificationGasLimit: v.nullish(quantity),
  paymasterPostOpGasLimit: v.nullish(quantity),
})
const payingSchema = v.object({
  paymaster: address,
  paymasterData: v.optional(bytes, '0x'),
  paymasterVerificationGasLimit: v.nullish(quantity),
  paymasterPostOpGasLimit: v.nullish(quantity),
  isFinal: v.optional(v.boolean(), false),
})
const receiptSchema = v.object({
  success: v.boolean(),
  reason: v.nullish(v.string()),
  logs: v.optional(v.array(v.unknown()), []),
  receipt: v.looseObject({ transactionHash: hex }),
})

/** Creates a bundler client for `chain`. `page` is the origin of the page, whose fees the operator might sponsor. */
export function createBundler({
  fetch,
  chain,
  page,
}: {
  fetch: typeof globalThis.fetch
  chain: ChainId
  page: string
}): Bundler {
  const call = async (path: string, query: Readonly<Record<string, string>>, method: string, params: unknown) => {
    const answer = await fetch(`${path}?${new URLSearchParams({ chainId: chain, ...query })}`, {
      method: 'POST',
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(rpcAnswerMs),
    }).catch((cause: unknown) => {
      throw new PublicError('The network cannot be reached', { cause })
    })
    const json: unknown = await readJsonBody(answer)
    const failure = answer.ok ? undefined : read(keysFailure, json)
    if (failure) throw new PublicError(sentence(failure))
    const response = read(answerSchema, json)
    if (response?.error) throw new PublicError(response.error.message.slice(0, 300))
    if (!answer.ok || !response) throw new PublicError('The network cannot be reached')
    return response.result
  }
  const ask = (method: string, params: unknown): Promise<unknown> => call(keysBundlerPath, {}, method, params)
  const askPaymaster = async (
    method: string,
    operation: UnsignedUserOperation,
    { acting, chainId, url, context }: PaidOperationTarget,
  ): Promise<{ fields: PaymasterFields; isFinal: boolean }> => {
    const params = [toRpcOperation(operation, { acting }), acting.entryPoint, numberToHex(chainId), context]
    const query = url === undefined ? { page } : { page, url }
    const found = read(payingSchema, await call(keysPaymasterPath, query, method, params))
    if (!found) throw new PublicError('The paymaster returned an invalid response')
    const { isFinal, paymasterVerificationGasLimit, paymasterPostOpGasLimit, ...rest } = found
    const fields = {
      ...rest,
      ...(paymasterVerificationGasLimit != null && { paymasterVerificationGasLimit }),
      ...(paymasterPostOpGasLimit != null && { paymasterPostOpGasLimit }),
    }
    return { fields, isFinal }
  }

  return {
    ask,
    fees: async () => {
      const response = await ask('pimlico_getUserOperationGasPrice', []).catch(() => undefined)
      return read(feesSchema, response)?.fast
    },
    estimate: async (operation, { acting }) => {
      const response = await ask('eth_estimateUserOperationGas', [
        toRpcOperation(operation, { acting }),
        acting.entryPoint,
      ])
      const found = read(gasSchema, response)
      if (!found) throw new PublicError('The bundler returned no estimate')
      const { paymasterVerificationGasLimit, paymasterPostOpGasLimit, ...gas } = found
      return {
        ...gas,
        // Without a paymaster, the response can contain zeros, which the operation must not include.
        ...(operation.paymaster && {
          ...(paymasterVerificationGasLimit != null && { paymasterVerificationGasLimit }),
          ...(paymasterPostOpGasLimit != null && { paymasterPostOpGasLimit }),
        }),
      }
    },
    paymasterStub: (operation, paid) => askPaymaster('pm_getPaymasterStubData', operation, paid),
    paymasterData: async (operation, paid) => (await askPaymaster('pm_getPaymasterData', operation, paid)).fields,
    send: async (operation, signed) => {
      const hash = await ask('eth_sendUserOperation', [toRpcOperation(operation, signed), signed.acting.entryPoint])
      if (!isHex(hash)) throw new PublicError('The bundler did not accept the transaction')
      return hash
    },
    receipt: async (hash) => {
      const response = await ask('eth_getUserOperationReceipt', [hash])
      if (response === null || response === undefined) return undefined
      const found = read(receiptSchema, response)
      if (!found) throw new PublicError('The bundler returned an invalid response')
      return { ...found, reason: found.reason ?? undefined }
    },
  }
}

/** Formats an operation for JSON-RPC. An operation without a signature gets a dummy signature. */
function toRpcOperation(
  operation: UnsignedUserOperation,
  {
    acting,
    signature = acting.stubSignature,
    authorization,
  }: { acting: SmartAccount; signature?: Hex; authorization?: SignedAuthorization | undefined },
): Readonly<Record<string, unknown>> {
  const fields = Object.entries(operation).flatMap(([name, value]) => {
    if (value === undefined) return []
    return [[name, typeof value === 'bigint' ? numberToHex(value) : value]]
  })
  const request = acting.authorizing
  const eip7702Auth = authorization
    ? {
        address: authorization.address,
        chainId: numberToHex(authorization.chainId),
        nonce: numberToHex(authorization.nonce),
        r: authorization.r,
        s: authorization.s,
        yParity: numberToHex(authorization.yParity ?? 0),
      }
    : request && {
        address: request.address,
        chainId: numberToHex(request.chainId),
        nonce: numberToHex(request.nonce),
        r: `0x${'f'.repeat(31)}${'0'.repeat(33)}`,
        s: `0x7${'a'.repeat(63)}`,
        yParity: '0x1',
      }
  return { ...Object.fromEntries(fields), signature, ...(eip7702Auth && { eip7702Auth }) }
}
