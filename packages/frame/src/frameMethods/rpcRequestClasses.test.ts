import { expect, test } from 'vitest'
import type { FrameContext } from '../frameContext.ts'
import { createPageSettings } from '../pageSettings.ts'
import { rpcRequest } from './rpcRequest.ts'

/**
 * Sends a request to a frame that has a node but no wallet. Returns the response, the user prompts and the requests to the node.
 */
async function ask(method: string, params: unknown, more: object = {}, network: { chainId?: string } = {}) {
  const prompts: string[] = []
  const read: string[] = []
  const context = {
    settings: createPageSettings(new URL('https://keys.example/sdk?chainId=eip155:1')),
    approvals: {
      track: async () => {
        prompts.push(method)
        return 'asked'
      },
    },
    config: async () => ({ bundlers: [] }),
    batches: new Map(),
    wallet: async () => ({ opened: () => undefined }),
    rpc: async (chain: string, name: string) => {
      read.push(`${chain} ${name}`)
      return '0x1'
    },
    ...more,
  } as unknown as FrameContext
  const caller = { id: '1', origin: 'https://shop.example', byPort: true, signal: new AbortController().signal }
  const answer = await rpcRequest(context, { method, params, ...network }, caller).catch(
    (error: Error) => error.message,
  )
  return { answer, prompts, read }
}

test.each([
  'eth_blockNumber',
  'eth_call',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getAccount',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_maxPriorityFeePerGas',
  'eth_newBlockFilter',
  'eth_newFilter',
  'eth_newPendingTransactionFilter',
  'eth_sendRawTransaction',
  'eth_syncing',
  'eth_uninstallFilter',
])('the node responds to %s without approval [R6.3]', async (method) => {
  expect(await ask(method, [])).toEqual({ answer: '0x1', prompts: [], read: [`eip155:1 ${method}`] })
})

test.each([
  ['eth_accounts', []],
  ['eth_chainId', '0x1'],
  ['eth_getUserOperationReceipt', 'eth_getUserOperationReceipt is not supported on this network'],
  ['eth_estimateUserOperationGas', 'eth_estimateUserOperationGas is not supported on this network'],
  ['eth_getUserOperationByHash', 'eth_getUserOperationByHash is not supported on this network'],
  ['eth_supportedEntryPoints', 'eth_supportedEntryPoints is not supported on this network'],
])('the frame responds to %s without approval [R6.3]', async (method, answer) => {
  expect(await ask(method, [])).toEqual({ answer, prompts: [], read: [] })
})

test.each([
  ['wallet_getCapabilities', []],
  ['wallet_getCallsStatus', ['0x1']],
  ['wallet_getAssets', [{ account: '0x1' }]],
  ['wallet_getGrantedExecutionPermissions', []],
  ['wallet_getSupportedExecutionPermissions', []],
])('%s requires no approval [R6.3]', async (method, params) => {
  expect((await ask(method, params)).prompts).toEqual([])
})

const bytes = '2'.repeat(64)
const approvals: readonly (readonly [method: string, params: unknown])[] = [
  ['personal_sign', ['0x68', '0x1']],
  ['eth_signTypedData_v4', ['0x1', '{}']],
  ['eth_sendTransaction', [{}]],
  ['solana_signMessage', { message: bytes, pubkey: bytes }],
  ['solana_signTransaction', { transaction: bytes }],
  ['solana_signAllTransactions', { transactions: [bytes] }],
  ['solana_signAndSendTransaction', { transaction: bytes }],
  ['wallet_sendCalls', [{ calls: [{ to: '0x1' }] }]],
  ['wallet_grantPermissions', [{}]],
  ['wallet_revokePermissions', [{}]],
  ['eth_sendUserOperation', [{}, '0x1']],
]

test.each(approvals)(
  '%s waits for the user’s approval and sends nothing to the node before that [R6.4]',
  async (method, params) => {
    expect(await ask(method, params)).toEqual({ answer: 'asked', prompts: [method], read: [] })
  },
)

test.each(approvals)(
  'on a cross-site page, %s is either executed in the window or rejected [R6.4]',
  async (method, params) => {
    const forwarded: string[] = []
    const crossSite = async () => ({ request: async () => forwarded.push(method) })
    const approvals = { track: async (_: string, task: (approvals: object) => unknown) => task({}) }
    const { answer, read } = await ask(method, params, { crossSite, approvals })
    // Permissions are stored by the frame, which has no storage on a cross-site page.
    const isRefused = /^wallet_(grant|revoke)Permissions$/.test(method)
    expect(forwarded).toEqual(isRefused ? [] : [method])
    if (isRefused) expect(answer).toBe('Requested RPC call is not allowed')
    expect(read).toEqual([])
  },
)

test.each(['eth_sign', 'eth_signTypedData', 'eth_requestAccounts', 'wallet_watchAsset', 'ETH_CALL', ''])(
  '"%s" is neither executed nor shown to the user [R6.3] [R6.4]',
  async (method) => {
    expect(await ask(method, [])).toEqual({ answer: 'Requested RPC call is not allowed', prompts: [], read: [] })
  },
)

test.each(['cosmos:hub', 'eip155:0', 'eip155:-1', 'a:b:c', 'solana:'])(
  'requests for the unsupported network %j reach neither a node nor the user',
  async (chainId) => {
    const refused = { answer: 'This network is not supported', prompts: [], read: [] }
    expect(await ask('eth_blockNumber', [], {}, { chainId })).toEqual(refused)
    expect(await ask('personal_sign', ['0x68', '0x1'], {}, { chainId })).toEqual(refused)
  },
)

test.each([
  ['a recipient without 0x', 'wallet_sendCalls', [{ calls: [{ to: '1' }] }]],
  ['data without 0x', 'wallet_sendCalls', [{ calls: [{ to: '0x1', data: '1' }] }]],
  [
    'an unknown commitment',
    'solana_signAndSendTransaction',
    { transaction: bytes, options: { preflightCommitment: 'sure' } },
  ],
])('the frame rejects %s without prompting the user [R5.3]', async (_, method, params) => {
  const { answer, prompts } = await ask(method, params)
  expect(answer).toContain(`${method}: `)
  expect(prompts).toEqual([])
})
