import type { Eip1193Provider } from '@latchkey/core/adapter'
import * as v from 'valibot'
import { toQuantity } from './chainId.ts'
import { safeHost } from './isInsideSafeApp.ts'

/** The version of the Safe Apps message format. Safe responds with the same version. */
const formatVersion = '9.1.0'
const safeOrigin = `https://${safeHost}`
/** The timeout for requests that need no approval. */
const answerMs = 10_000

const answer = v.variant('success', [
  v.object({ id: v.string(), success: v.literal(true), data: v.unknown() }),
  v.object({ id: v.string(), success: v.literal(false), error: v.optional(v.string(), 'Safe rejected the request.') }),
])
const safeInfo = v.object({
  safeAddress: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/i)),
  chainId: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
})
const sent = v.object({ safeTxHash: v.string() })
const signed = v.object({ signature: v.optional(v.string()) })
const executed = v.object({ txHash: v.nullish(v.string()) })
const transaction = v.object({
  to: v.string(),
  value: v.optional(v.union([v.string(), v.number()]), '0x0'),
  data: v.optional(v.string(), '0x'),
})

/**
 * Creates an EIP-1193 provider for the Safe that embeds this page. The provider sends Safe Apps messages to the parent window,
 * as `{ id, method, params, env }`, and receives `{ id, success, data | error }`. It only exchanges messages with Safe's origin.
 */
export function safeProvider(page: Window): Eip1193Provider {
  const parent = page.parent
  const safeHashes = new Set<string>()

  const callSafe = <T>(method: string, params: unknown, shape: v.GenericSchema<unknown, T>, ms?: number): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = page.crypto.randomUUID()
      const settle = (action: () => void) => {
        page.removeEventListener('message', onMessage)
        clearTimeout(timer)
        action()
      }
      const onMessage = ({ origin, source, data }: MessageEvent) => {
        if (origin !== safeOrigin || source !== parent) return
        const reply = v.safeParse(answer, data)
        if (!reply.success || reply.output.id !== id) return
        if (!reply.output.success) {
          const { error } = reply.output
          return settle(() => reject(Object.assign(new Error(error), /reject/i.test(error) && { code: 4001 })))
        }
        const parsed = v.safeParse(shape, reply.output.data)
        if (parsed.success) settle(() => resolve(parsed.output))
        else settle(() => reject(new Error(`Safe returned an invalid response to "${method}".`)))
      }
      const timer =
        ms === undefined
          ? undefined
          : setTimeout(() => settle(() => reject(failure(4900, 'Safe is not responding.'))), ms)
      page.addEventListener('message', onMessage)
      parent.postMessage({ id, method, params, env: { sdkVersion: formatVersion } }, safeOrigin)
    })

  const info = () => callSafe('getSafeInfo', undefined, safeInfo, answerMs)
  const read = (call: string, params: unknown) => callSafe('rpcCall', { call, params }, v.unknown())

  const send = async (calls: unknown) => {
    const txs = v
      .parse(v.array(transaction), calls)
      .map(({ to, value, data }) => ({ to, value: BigInt(value).toString(), data }))
    const { safeTxHash } = await callSafe('sendTransactions', { txs }, sent)
    safeHashes.add(safeTxHash)
    return safeTxHash
  }

  return {
    async request({ method, params }) {
      const list = Array.isArray(params) ? params : []
      switch (method) {
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return [(await info()).safeAddress]
        case 'eth_chainId':
          return toQuantity(BigInt((await info()).chainId))
        case 'wallet_switchEthereumChain': {
          const { chainId } = v.parse(v.object({ chainId: v.string() }), list[0])
          if (BigInt(chainId) === BigInt((await info()).chainId)) return null
          throw failure(4200, 'A Safe exists on only one chain.')
        }
        case 'wallet_getPermissions':
        case 'wallet_revokePermissions':
        case 'wallet_addEthereumChain':
          throw failure(4200, `Safe does not support ${method}.`)
        case 'personal_sign':
        case 'eth_sign': {
          // Safe returns no signature if the owners approve the message on-chain (EIP-1271).
          const message = textOf(method === 'personal_sign' ? list[0] : list[1])
          return (await callSafe('signMessage', { message }, signed)).signature ?? '0x'
        }
        case 'eth_signTypedData':
        case 'eth_signTypedData_v4': {
          const typedData = typeof list[1] === 'string' ? JSON.parse(list[1]) : list[1]
          return (await callSafe('signTypedMessage', { typedData }, signed)).signature ?? '0x'
        }
        case 'eth_sendTransaction':
          return send(list)
        case 'eth_getTransactionByHash':
        case 'eth_getTransactionReceipt': {
          // `eth_sendTransaction` returned Safe's own hash. There is no transaction hash until the owners have signed.
          const hash = String(list[0])
          if (!safeHashes.has(hash)) return read(method, list)
          const { txHash } = await callSafe('getTxBySafeTxHash', { safeTxHash: hash }, executed, answerMs)
          return txHash ? read(method, [txHash]) : null
        }
        default:
          return read(method, list)
      }
    },
  }
}

/** Decodes a hex message to text, because Safe displays and signs text. Bytes that are not valid UTF-8 stay in hex. */
function textOf(message: unknown): string {
  const hex = String(message)
  if (!/^0x([0-9a-f]{2})*$/i.test(hex)) return hex
  const bytes = Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return hex
  }
}

function failure(code: number, message: string): Error & { code: number } {
  return Object.assign(new Error(message), { code })
}
