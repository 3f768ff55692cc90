import type { Hex } from 'viem'

/** An unsigned user operation (ERC-4337). */
export interface UnsignedUserOperation {
  readonly sender: Hex
  readonly nonce: bigint
  readonly factory?: Hex | undefined
  readonly factoryData?: Hex | undefined
  readonly callData: Hex
  readonly callGasLimit: bigint
  readonly verificationGasLimit: bigint
  readonly preVerificationGas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly paymaster?: Hex | undefined
  readonly paymasterVerificationGasLimit?: bigint | undefined
  readonly paymasterPostOpGasLimit?: bigint | undefined
  readonly paymasterData?: Hex | undefined
}
