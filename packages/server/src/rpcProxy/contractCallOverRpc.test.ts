import { expect, test } from 'vitest'
import type { RpcProxy, RpcResponse } from '../serverDependencies.ts'
import { callThroughChain } from './contractCallOverRpc.ts'

const to = `0x${'1'.repeat(40)}`
const data = '0x1626ba7e00'

function nodes(response: RpcResponse) {
  const sent: unknown[] = []
  const rpc: RpcProxy = {
    supported: () => [],
    async send(chain, body) {
      sent.push([chain, JSON.parse(body)])
      return response
    },
  }
  return { sent, call: callThroughChain(rpc) }
}

test('calls the contract with eth_call at the latest block of its chain, and returns the result [R7.9]', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1626ba7e' })
  const { sent, call } = nodes({ kind: 'answered', body })
  for (const chain of ['eip155:1', 'eip155:10']) expect(await call({ chain, to, data })).toBe('0x1626ba7e')
  expect(sent).toEqual(
    ['eip155:1', 'eip155:10'].map((chain) => [
      chain,
      { id: 1, jsonrpc: '2.0', method: 'eth_call', params: [{ to, data }, 'latest'] },
    ]),
  )
})

test('rejects if no node responds, instead of reporting the signature as invalid [R7.9]', async () => {
  for (const response of [{ kind: 'unsupported' }, { kind: 'unavailable' }] as const)
    await expect(nodes(response).call({ chain: 'eip155:1', to, data })).rejects.toMatchObject({
      code: 'sign-in/no-node',
    })
})
