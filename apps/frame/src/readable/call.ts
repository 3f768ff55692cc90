import { decodeFunctionData, type Hex, parseAbi } from 'viem'

/** What one call of a transaction does, as far as we know it. Amounts are in the smallest unit. */
export type CallReading =
  | { readonly kind: 'send'; readonly to: string; readonly value: bigint }
  | { readonly kind: 'deploy'; readonly value: bigint; readonly bytes: number }
  | {
      readonly kind: 'sendToken'
      readonly token: string
      readonly from: string | undefined
      readonly to: string
      readonly amount: bigint
      readonly value: bigint
    }
  | {
      readonly kind: 'allow'
      readonly token: string
      readonly spender: string
      readonly amount: bigint | 'unlimited'
      readonly value: bigint
    }
  | {
      readonly kind: 'allowAll'
      readonly token: string
      readonly operator: string
      readonly allowed: boolean
      readonly value: bigint
    }
  | {
      readonly kind: 'sendItem'
      readonly token: string
      readonly from: string
      readonly to: string
      readonly id: bigint
      readonly count: bigint
      readonly value: bigint
    }
  | {
      readonly kind: 'unknown'
      readonly to: string
      readonly value: bigint
      /** The first four bytes, which choose a function that we do not know; or less. */
      readonly selector: string
      readonly data: string
    }

/** One call as a page asks for it. */
export interface Call {
  readonly to: Hex | undefined
  readonly value: bigint
  readonly data: Hex
}

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function safeTransferFrom(address from, address to, uint256 id)',
  'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
])

/** What `call` does. */
export function readCall({ to, value, data }: Call): CallReading {
  if (to === undefined) return { kind: 'deploy', value, bytes: (data.length - 2) / 2 }
  if (data === '0x') return { kind: 'send', to, value }
  const unknown = { kind: 'unknown', to, value, selector: data.slice(0, 10), data } as const
  let decoded: ReturnType<typeof decodeFunctionData<typeof abi>>
  try {
    decoded = decodeFunctionData({ abi, data })
  } catch {
    return unknown
  }
  const { functionName, args } = decoded
  switch (functionName) {
    case 'transfer':
      return { kind: 'sendToken', token: to, from: undefined, to: args[0], amount: args[1], value }
    case 'transferFrom':
      return { kind: 'sendToken', token: to, from: args[0], to: args[1], amount: args[2], value }
    case 'approve':
    case 'increaseAllowance':
      // More than half of the whole range is more than there is of anything.
      return { kind: 'allow', token: to, spender: args[0], amount: args[1] >> 255n ? 'unlimited' : args[1], value }
    case 'setApprovalForAll':
      return { kind: 'allowAll', token: to, operator: args[0], allowed: args[1], value }
    case 'safeTransferFrom': {
      const count = args.length === 5 ? args[3] : 1n
      return { kind: 'sendItem', token: to, from: args[0], to: args[1], id: args[2], count, value }
    }
    default:
      return unknown
  }
}
