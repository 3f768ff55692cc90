import { HttpError } from '../errors/httpError.ts'
import { decodeAggregate, type EncodedCall, encodeAggregate, type Returned } from './multicallEncoding.ts'
import { type CallNode, unavailable } from './nodeBatch.ts'
import { isNodeBusy, isRevert, NodeCallError, type NodeClient } from './nodeClient.ts'

export type { EncodedCall, Returned }

/** The maximum number of calls that Multicall3 executes at once, so that they stay below the gas limit of most nodes. */
const maxCalls = 400
/** The gas for each call to an unlisted contract. Limits the load on the node if a contract never returns. */
const untrustedGas = '0x30d40'

/**
 * Executes calls on an eip155 chain, and resolves to what each of them returned. Uses Multicall3 if the chain has it, and
 * otherwise a batch of calls.
 *
 * With Multicall3, a contract that uses up all the gas makes the calls after it fail as well, so failed calls are repeated
 * separately. Calls to contracts that are not on a list have `isTrusted: false`, and are always executed separately.
 *
 * @throws {HttpError} 503 if no node responds.
 */
export async function multicall({
  nodes,
  callNode,
  chainId,
  calls,
  isTrusted,
  block = 'latest',
  signal,
}: {
  nodes: NodeClient
  callNode: CallNode
  chainId: string
  calls: readonly EncodedCall[]
  isTrusted: boolean
  /**
   * The block to read, in hexadecimal. Only for untrusted calls, which can fail if the node does not have the block's state.
   */
  block?: string
  signal: AbortSignal
}): Promise<readonly Returned[]> {
  const separately = async (some: readonly EncodedCall[], isLimited = !isTrusted): Promise<readonly Returned[]> => {
    const gas = isLimited ? { gas: untrustedGas } : {}
    const params = some.map(({ to, data }) => ({ method: 'eth_call', params: [{ to, data, ...gas }, block] }))
    return (await callNode(chainId, params, signal)).map((result) => {
      if (isBytes(result)) return result
      // A call that the node did not execute has no result. It must not look like an account without tokens.
      const isAnswer = result instanceof NodeCallError && (isRevert(result) || (isLimited && !isNodeBusy(result)))
      if (!isAnswer) throw unavailable()
      return undefined
    })
  }
  const together = async (multicall3: `0x${string}`, some: readonly EncodedCall[]): Promise<readonly Returned[]> => {
    const params = [{ to: multicall3, data: encodeAggregate(some) }, 'latest']
    try {
      const results = decodeAggregate((await nodes.call(chainId, 'eth_call', params, signal)) as string, some.length)
      if (results) {
        const failed = some.filter((_, at) => results[at] === undefined)
        const repeated = failed.length > 0 ? await separately(failed, true) : []
        const byCall = new Map(failed.map((call, at) => [call, repeated[at]]))
        return some.map((call, at) => results[at] ?? byCall.get(call))
      }
    } catch (error) {
      // Otherwise, the node's gas limit is too low, or the contract at the address is not Multicall3.
      if (error instanceof HttpError) throw error
    }
    return separately(some)
  }

  const multicall3 = nodes.chains.get(chainId)?.multicall3
  const isTogether = isTrusted && calls.length > 1 && multicall3 && (await nodes.hasCode(chainId, multicall3, signal))
  if (!isTogether) return calls.length === 0 ? [] : separately(calls)
  const chunks: Promise<readonly Returned[]>[] = []
  for (let from = 0; from < calls.length; from += maxCalls)
    chunks.push(together(multicall3, calls.slice(from, from + maxCalls)))
  return (await Promise.all(chunks)).flat()
}

/**
 * Returns a 32-byte word of a call's result as a number. Returns `undefined` if the call failed or returned too little data.
 */
export function uintOf(returned: Returned, index = 0): bigint | undefined {
  if (returned === undefined || returned.length < 2 + 64 * (index + 1)) return undefined
  return BigInt(`0x${returned.slice(2 + 64 * index, 2 + 64 * (index + 1))}`)
}

/** Returns the encoded call `balanceOf(address)` (selector 0x70a08231). */
export function balanceOfCall(token: `0x${string}`, account: string): EncodedCall {
  return { to: token, data: `0x70a08231${addressWord(account)}` }
}

/** Returns an address as an encoded argument. */
export function addressWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0')
}

function isBytes(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value)
}
