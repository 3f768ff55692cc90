import type { ChainId } from '@latchkey/protocol/caip'
import { encodeFunctionData, type Hex, hexToBigInt, isHex, keccak256, parseAbi } from 'viem'
import { type ContractFacts, readContracts } from '../decoders/contractFacts.ts'
import type { Call } from '../decoders/requestedCall.ts'
import type { NodeRpc } from '../nodeRpc.ts'
import { PublicError } from '../publicError.ts'
import { type CodeHashes, type Grant, type GrantLimits, totalAllowance } from './grant.ts'

/** Whom to ask, and about which account. */
interface ContractReader {
  readonly rpc: NodeRpc
  readonly chain: ChainId<'eip155'>
  readonly account: string
}

/**
 * What stands at the addresses of `limits`, asked before anybody is shown them; throws a `PublicError` where a token is none, or where a
 * contract holds something of the account: there, only an allowance has a limit that can be counted. What answers is written down, so
 * that another program at the same address is noticed.
 */
export async function inspectTargets(
  rpc: NodeRpc,
  { chain, account, expiry, permissions }: GrantLimits,
): Promise<CodeHashes> {
  const node = { rpc, chain, account }
  for (const permission of permissions) {
    if (permission.kind !== 'token') continue
    const { token } = permission
    const facts = await tokenFactsOf(node, token)
    if (facts?.kind !== 'erc20') throw publicError(`${token} is no ERC-20 token on this network`)
    if (facts.supply === undefined || totalAllowance(permission, expiry) >= facts.supply)
      throw publicError(`an allowance of as much of ${token} as there is, or more, is no limit`)
  }
  const addresses = permissions.flatMap((item) => (item.kind === 'contract' ? [item.address] : []))
  const codes: Record<string, Hex> = {}
  for (const address of addresses) {
    const code = await codeHashAt(node, address)
    if (code === undefined) throw publicError(`there is no contract at ${address}`)
    if (await holdsAssets(node, address))
      throw publicError(`${address} holds or guards something of this account: calls of it are asked about one by one`)
    codes[address] = code
  }
  return codes
}

/** Whether every call of `calls` goes where it went when the grant was given: what is at an address may have become something else. */
export async function areTargetsUnchanged(rpc: NodeRpc, grant: Grant, calls: readonly Call[]): Promise<boolean> {
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
      // A contract does something when it is sent coins. One that its owner has read the address of may.
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

/** Tokens, items, vaults, shared accounts, and contracts that obey the account: what is called there has no limit that can be counted. */
async function holdsAssets(node: ContractReader, address: string): Promise<boolean> {
  const account = node.account as Hex
  const ask = (data: Hex): Promise<Hex | undefined> => callContract(node, address, data)
  const supports = async (id: Hex): Promise<boolean> =>
    parseWord(await ask(encodeFunctionData({ abi, functionName: 'supportsInterface', args: [id] }))) === 1n
  const own = hexToBigInt(account)
  const names = async (functionName: 'owner' | 'admin'): Promise<boolean> =>
    parseWord(await ask(encodeFunctionData({ abi, functionName }))) === own
  const found = await Promise.all([
    // ERC-20, ERC-721, ERC-4626: all of them count what somebody has.
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
    // A shared account of others may still count a yes of this one.
    ask(encodeFunctionData({ abi, functionName: 'getOwners' })).then((result) => result !== undefined),
    ask(encodeFunctionData({ abi, functionName: 'hasRole', args: [adminRole, account] })).then(
      (result) => parseWord(result) === 1n,
    ),
  ])
  return found.includes(true)
}

// EIP-1967: where proxies keep the address of the program that runs in their place.
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
// Where proxies of OpenZeppelin's kept it before that standard: keccak256('org.zeppelinos.proxy.implementation').
const earlierSlot = '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3'
const beaconSlot = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'

/** What runs at `address`: its code, and what a proxy has put in its place; `undefined` where there is none. */
async function codeHashAt({ rpc, chain }: ContractReader, address: string): Promise<Hex | undefined> {
  const read = async (method: string, params: readonly unknown[]): Promise<Hex> => {
    const result = await rpc<unknown>(chain, method, params)
    if (!isHex(result)) throw new PublicError('The network does not answer')
    return result
  }
  const [code, implementation, beacon, earlier] = await Promise.all([
    read('eth_getCode', [address, 'latest']),
    read('eth_getStorageAt', [address, implementationSlot, 'latest']),
    read('eth_getStorageAt', [address, beaconSlot, 'latest']),
    read('eth_getStorageAt', [address, earlierSlot, 'latest']),
  ])
  if (code === '0x') return undefined
  // A beacon may change its mind without the proxy: what it says now counts.
  const behind =
    hexToBigInt(beacon) === 0n
      ? undefined
      : await callContract({ rpc, chain, account: zeroAddress }, addressIn(beacon), '0x5c60da1b')
  // Counted only where it stands, so that a grant of earlier stays what it was.
  const before = hexToBigInt(earlier) === 0n ? '' : earlier.slice(2)
  return keccak256(`${code}${implementation.slice(2)}${beacon.slice(2)}${behind?.slice(2) ?? ''}${before}`)
}

function addressIn(word: Hex): Hex {
  return `0x${word.slice(-40).padStart(40, '0')}`
}

/** What a contract answers; `undefined` where it refuses. Throws where nobody answers: that is no word of the contract's. */
async function callContract({ rpc, chain, account }: ContractReader, to: string, data: Hex): Promise<Hex | undefined> {
  try {
    const result = await rpc<unknown>(chain, 'eth_call', [{ from: account, to, data }, 'latest'])
    if (!isHex(result)) throw new PublicError('The network does not answer')
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
