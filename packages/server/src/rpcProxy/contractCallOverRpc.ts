import { failure } from '@latchkey/protocol/errors/errorMessages'
import { contractCallTimeoutMs } from '@latchkey/protocol/specificationConstants'
import { type ContractCall, contractAnswer } from '@latchkey/siwx/verify/eip155'
import type { RpcProxy } from '../serverDependencies.ts'

/** Returns a function that calls contracts through the server's own nodes. */
export function callThroughChain(nodes: RpcProxy): ContractCall {
  return async ({ chain, to, data }) => {
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to, data }, 'latest'] }
    const answer = await nodes.send(chain, JSON.stringify(call), AbortSignal.timeout(contractCallTimeoutMs))
    if (answer.kind !== 'answered') throw failure('sign-in/no-node', { chain, message: answer.kind })
    return contractAnswer({ chain, answer: JSON.parse(answer.body) as unknown })
  }
}
