import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  type Hex,
  hashTypedData,
  hexToBigInt,
  keccak256,
  parseAbi,
  size,
  toHex,
  zeroAddress,
} from 'viem'
import type { Call } from '../decoders/decodeCall.ts'
import type { UnsignedUserOperation } from './unsignedUserOperation.ts'

// Safe 1.4.1 and version 0.3.0 of its ERC-4337 module, at their canonical addresses, which are the same on every network:
// https://github.com/safe-global/safe-deployments, https://github.com/safe-global/safe-modules-deployments
const singleton = '0x41675C099F32341bf84BFc5382aF534df5C7461a'
const proxyFactory = '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67'
/** The module that handles user operations for a Safe. */
export const safeModule = '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226'
const moduleSetup = '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47'
const multiSend = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'
const multiSendCallOnly = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'

/** The creation code of the proxy that the factory deploys. */
const proxyCode: Hex =
  // biome-ignore format: a single long hex string
  '0x608060405234801561001057600080fd5b506040516101e63803806101e68339818101604052602081101561003357600080fd5b8101908080519060200190929190505050600073ffffffffffffffffffffffffffffffffffffffff168173ffffffffffffffffffffffffffffffffffffffff1614156100ca576040517f08c379a00000000000000000000000000000000000000000000000000000000081526004018080602001828103825260228152602001806101c46022913960400191505060405180910390fd5b806000806101000a81548173ffffffffffffffffffffffffffffffffffffffff021916908373ffffffffffffffffffffffffffffffffffffffff1602179055505060ab806101196000396000f3fe608060405273ffffffffffffffffffffffffffffffffffffffff600054167fa619486e0000000000000000000000000000000000000000000000000000000060003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fea264697066735822122003d1488ee65e08fa41e58e888a9865554c535f2c77126a82cb4c0f917f31441364736f6c63430007060033496e76616c69642073696e676c65746f6e20616464726573732070726f7669646564'

const abi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function enableModules(address[] modules)',
  'function multiSend(bytes transactions)',
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)',
  'function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)',
])

/** The address of a Safe that is owned by a single key, and the data needed to deploy it. */
export interface Safe {
  readonly address: Hex
  readonly factory: Hex
  readonly factoryData: Hex
}

/** Returns the Safe owned by `owner`. Its address is the same on every network and in other tools that use the default setup. */
export function getSafe(owner: Hex): Safe {
  const enable = encodeFunctionData({ abi, functionName: 'enableModules', args: [[safeModule]] })
  const setup = encodeFunctionData({
    abi,
    functionName: 'multiSend',
    args: [encodeMultiSend([{ to: moduleSetup, value: 0n, data: enable }], 1)],
  })
  const initializer = encodeFunctionData({
    abi,
    functionName: 'setup',
    args: [[owner], 1n, multiSend, setup, safeModule, zeroAddress, 0n, zeroAddress],
  })
  const saltNonce = 0n
  return {
    address: getContractAddress({
      opcode: 'CREATE2',
      from: proxyFactory,
      salt: keccak256(encodePacked(['bytes32', 'uint256'], [keccak256(initializer), saltNonce])),
      bytecode: concat([proxyCode, encodeAbiParameters([{ type: 'uint256' }], [hexToBigInt(singleton)])]),
    }),
    factory: proxyFactory,
    factoryData: encodeFunctionData({
      abi,
      functionName: 'createProxyWithNonce',
      args: [singleton, initializer, saltNonce],
    }),
  }
}

/** Encodes the Safe's calldata for `calls`, which are executed atomically. */
export function safeCallData(calls: readonly Call[]): Hex {
  const [first] = calls
  const single = calls.length === 1 && first ? first : undefined
  const args = single
    ? ([requireTarget(single), single.value, single.data, 0] as const)
    : ([
        multiSendCallOnly,
        0n,
        encodeFunctionData({ abi, functionName: 'multiSend', args: [encodeMultiSend(calls, 0)] }),
        1,
      ] as const)
  return encodeFunctionData({ abi, functionName: 'executeUserOpWithErrorString', args })
}

function encodeMultiSend(calls: readonly Call[], operation: 0 | 1): Hex {
  return concat(
    calls.map((call) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [operation, requireTarget(call), call.value, BigInt(size(call.data)), call.data],
      ),
    ),
  )
}

function requireTarget({ to }: Call): Hex {
  if (to === undefined) throw new TypeError('A Safe cannot deploy contracts')
  return to
}

/** No time limit (`validAfter` and `validUntil` are both 0), because the operation is sent right after it is signed. */
const noValidityWindow = toHex(0, { size: 12 })

const operationTypes = {
  SafeOp: [
    { type: 'address', name: 'safe' },
    { type: 'uint256', name: 'nonce' },
    { type: 'bytes', name: 'initCode' },
    { type: 'bytes', name: 'callData' },
    { type: 'uint128', name: 'verificationGasLimit' },
    { type: 'uint128', name: 'callGasLimit' },
    { type: 'uint256', name: 'preVerificationGas' },
    { type: 'uint128', name: 'maxPriorityFeePerGas' },
    { type: 'uint128', name: 'maxFeePerGas' },
    { type: 'bytes', name: 'paymasterAndData' },
    { type: 'uint48', name: 'validAfter' },
    { type: 'uint48', name: 'validUntil' },
    { type: 'address', name: 'entryPoint' },
  ],
} as const

/** Returns the hash that the owner signs for a user operation from the Safe. */
export function safeOperationHash({
  operation,
  entryPoint,
  chainId,
}: {
  operation: UnsignedUserOperation
  entryPoint: Hex
  chainId: number
}): Hex {
  const { factory, factoryData, paymaster, ...rest } = operation
  return hashTypedData({
    domain: { chainId, verifyingContract: safeModule },
    types: operationTypes,
    primaryType: 'SafeOp',
    message: {
      ...rest,
      safe: operation.sender,
      initCode: factory && factoryData ? concat([factory, factoryData]) : '0x',
      paymasterAndData: paymaster
        ? concat([
            paymaster,
            toHex(operation.paymasterVerificationGasLimit ?? 0n, { size: 16 }),
            toHex(operation.paymasterPostOpGasLimit ?? 0n, { size: 16 }),
            operation.paymasterData ?? '0x',
          ])
        : '0x',
      validAfter: 0,
      validUntil: 0,
      entryPoint,
    },
  })
}

/** Encodes the owner's signature in the format that the module expects. */
export function safeOperationSignature(signature: Hex): Hex {
  return concat([noValidityWindow, signature])
}

/**
 * Returns the hash that the owner signs for an ERC-1271 signature of `hash`. The signature is only valid for this Safe and
 * network.
 */
export function safeMessageHash({ hash, safe, chainId }: { hash: Hex; safe: Hex; chainId: number }): Hex {
  return hashTypedData({
    domain: { chainId, verifyingContract: safe },
    types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'SafeMessage',
    message: { message: hash },
  })
}
