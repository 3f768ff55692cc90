import type { EventLog } from './evmSchemas.ts'

/** The entry points of ERC-4337: 0.6, 0.7 and 0.8. They have the same addresses on every chain. */
const entryPoints = new Set([
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
])

/** `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)`. */
const userOperationTopic = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f'

/** Whether an address is an entry point of ERC-4337, to which smart accounts pay their fees. */
export function isEntryPoint(address: string): boolean {
  return entryPoints.has(address)
}

/** Returns a smart account's user operation from a transaction's logs, or `undefined` if there is none. */
export function userOperationOf(
  account: string,
  logs: readonly EventLog[],
): { readonly hasFailed: boolean } | undefined {
  const event = logs.find(
    ({ address, topics: [topic, , sender] }) =>
      isEntryPoint(address) && topic === userOperationTopic && sender?.slice(-40) === account.slice(2),
  )
  // The second word of the data indicates whether the operation succeeded.
  return event && { hasFailed: /^0x[0-9a-f]{64}0{64}/.test(event.data) }
}
