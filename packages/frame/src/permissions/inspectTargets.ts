import type { ChainId } from '@latchkey/protocol/caip'
import { encodeFunctionData, type Hex, hexToBigInt, isHex, keccak256, parseAbi } from 'viem'
import { type ContractFacts, readContracts } from '../decoders/contractFacts.ts'
import type { Call } from '../decoders/decodeCall.ts'
import type { ChainRpcClient } from '../networks/chainRpcClient.ts'
import { PublicError } from '../publicError.ts'
import { type CodeHashes, type Grant, type GrantLimits, totalAllowance } from './grant.ts'

/** The node, network and account with which contracts are read. */
interface ContractReader {
  readonly rpc: ChainRpcClient
  readonly chain: ChainId<'eip155'>
  readonly account: string
}

/**
 * Inspects the contracts at the addresses in `limits` before the request is shown. Resolves to their code hashes, so that changed
 * code at an address can be detected later.
 * @throws {PublicError} if a token is not an ERC-20, or if a contract in a contract permission holds or controls the account's
 * assets, because only allowances can limit the use of assets.
 */
export async function inspectTargets(
  rpc: ChainRpcClient,
  { chain, account, expiry, permissions }: GrantLimits,
): Promise<CodeHashes> {
  const node = { rpc, chain, account }
  for (const permission of permissions) {
    if (permission.kind !== 'token') continue
    const { token } = permission
    const facts = await tokenFactsOf(node, token)
    if (facts?.kind !== 'erc20') throw publicError(`${token} is not an ERC-20 token on this network`)
    if (facts.supply === undefined || totalAllowance(permission, expiry) >= facts.supply)
      throw publicError(`an allowance of the total supply of ${token} or more counts as unlimited`)
  }
  const addresses = permissions.flatMap((item) => (item.kind === 'contract' ? [item.address] : []))
  const codes: Record<string, Hex> = {}
  for (const address of addresses) {
    const code = await codeHashAt(node, address)
    if (code === undefined) throw publicError(`there is no contract at ${address}`)
    if (await holdsAssets(node, address))
      throw publicError(`${address} holds or controls assets of this account, so each call to it needs approval`)
    codes[address] = code
  }
  return codes
}

/** Whether the contracts that `calls` target have not changed since the grant was created. The code at an address can change. */
export async function areTargetsUnchanged(rpc: ChainRpcClient, grant: Grant, calls: readonly Call[]): Promise<boolean> {
  const node = { rpc, chain: grant.chain, account: grant.account }
  const seen = new Set<string>()
  for (const { to, data } of calls) {
    const target = to?.toLowerCase()
    if (target === undefined) return false
    const isSend = data === '0x'
    const key = `${target} ${isSend}`
    if (seen.has(key)) continue
    seen.add(key)
    if (isSend) {
      // A contract runs code when it receives native currency, so it must be a recipient that the user has seen.
      if (grant.recipients?.includes(target)) continue
      if ((await codeHashAt(node, target)) !== undefined) return false
    } else if (grant.permissions.some((item) => item.kind === 'token' && item.token === target)) {
      if ((await tokenFactsOf(node, target))?.kind !== 'erc20') return false
    } else {
      const code = await codeHashAt(node, target)
      if (code === undefined || code !== grant.codes?.[target]) return false
      if (await holdsAssets(node, target)) return false
    }
  }
  return true
}

async function tokenFactsOf(
  { rpc, chain, account }: ContractReader,
  token: string,
): Promise<ContractFacts | undefined> {
  const contracts = await readContracts(rpc, { chain, account, addresses: [token] })
  return contracts[token]
}

const abi = parseAbi([
  'function supportsInterface(bytes4 id) view returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'function owner() view returns (address)',
  'function admin() view returns (address)',
  'function getOwners() view returns (address[])',
  'function isOwner(address who) view returns (bool)',
  'function hasRole(bytes32 role, address who) view returns (bool)',
  'function getApproved(uint256 id) view returns (address)',
])
const zeroAddress = '0x0000000000000000000000000000000000000000'
const adminRole: Hex = `0x${'00'.repeat(32)}`

/**
 * Whether a contract holds or controls assets of the account, which no limit could cover. Examples are tokens, vaults, multisigs
 * and owned contracts.
 */
async function holdsAssets(node: ContractReader, address: string): Promise<boolean> {
  const account = node.account as Hex
  const ask = (data: Hex): Promise<Hex | undefined> => callContract(node, address, data)
  const supports = async (id: Hex): Promise<boolean> =>
    parseWord(await ask(encodeFunctionData({ abi, functionName: 'supportsInterface', args: [id] }))) === 1n
  const own = hexToBigInt(account)
  const names = async (functionName: 'owner' | 'admin'): Promise<boolean> =>
    parseWord(await ask(encodeFunctionData({ abi, functionName }))) === own
  const found = await Promise.all([
    // ERC-20, ERC-721 and ERC-4626 contracts all have balances.
    ask(encodeFunctionData({ abi, functionName: 'balanceOf', args: [account] })).then((result) => result !== undefined),
    ask(encodeFunctionData({ abi, functionName: 'getApproved', args: [1n] })).then((result) => result !== undefined),
    supports('0x80ac58cd'),
    supports('0xd9b67a26'),
    // ERC-6909.
    supports('0x0f632fb3'),
    names('owner'),
    names('admin'),
    ask(encodeFunctionData({ abi, functionName: 'isOwner', args: [account] })).then(
      (result) => parseWord(result) === 1n,
    ),
    // A multisig with other owners can still count an approval by this account.
    ask(encodeFunctionData({ abi, functionName: 'getOwners' })).then((result) => result !== undefined),
    ask(encodeFunctionData({ abi, functionName: 'hasRole', args: [adminRole, account] })).then(
      (result) => parseWord(result) === 1n,
    ),
  ])
  return found.includes(true)
}

// The EIP-1967 storage slot of a proxy's implementation address.
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
// The storage slot used by older OpenZeppelin proxies: keccak256('org.zeppelinos.proxy.implementation').
const earlierSlot = '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3'
const beaconSlot = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'

/** Resolves to the hash of the code at `address`, including a proxy's implementation, or to `undefined` if there is no code. */
async function codeHashAt({ rpc, chain }: ContractReader, address: string): Promise<Hex | undefined> {
  const read = async (method: string, params: readonly unknown[]): Promise<Hex> => {
    const result = await rpc<unknown>(chain, method, params)
    if (!isHex(result)) throw new PublicError('The network returned an invalid response')
    return result
  }
  const [code, implementation, beacon, earlier] = await Promise.all([
    read('eth_getCode', [address, 'latest']),
    read('eth_getStorageAt', [address, implementationSlot, 'latest']),
    read('eth_getStorageAt', [address, beaconSlot, 'latest']),
    read('eth_getStorageAt', [address, earlierSlot, 'latest']),
  ])
  if (code === '0x') return undefined
  // A beacon can change its implementation without changing the proxy, so the current implementation is read.
  const behind =
    hexToBigInt(beacon) === 0n
      ? undefined
      : await callContract({ rpc, chain, account: zeroAddress }, addressIn(beacon), '0x5c60da1b')
  // The slot is only included if it is set, so that the hashes in earlier grants stay the same.
  const before = hexToBigInt(earlier) === 0n ? '' : earlier.slice(2)
  return keccak256(`${code}${implementation.slice(2)}${beacon.slice(2)}${behind?.slice(2) ?? ''}${before}`)
}

function addressIn(word: Hex): Hex {
  return `0x${word.slice(-40).padStart(40, '0')}`
}

/**
 * Calls a contract. Resolves to `undefined` if the call reverts or returns no data. Rejects if the node does not respond, because
 * the result is then unknown.
 */
async function callContract({ rpc, chain, account }: ContractReader, to: string, data: Hex): Promise<Hex | undefined> {
  try {
    const result = await rpc<unknown>(chain, 'eth_call', [{ from: account, to, data }, 'latest'])
    if (!isHex(result)) throw new PublicError('The network returned an invalid response')
    return result === '0x' ? undefined : result
  } catch (error) {
    if (error instanceof Error && /revert|opcode|instruction|out of gas|stack|EVM|VM exception/i.test(error.message))
      return undefined
    throw error
  }
}

function parseWord(result: Hex | undefined): bigint | undefined {
  return result?.length === 66 ? hexToBigInt(result) : undefined
}

function publicError(message: string): PublicError {
  return new PublicError(`wallet_grantPermissions: ${message}`)
}
