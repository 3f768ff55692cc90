import { chainIdOfCoinType, everyEvmChain } from '@latchkey/protocol/accountNames'
import type { Profile } from '@latchkey/protocol/http/chainApi'
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  encodePacked,
  type Hex,
  isAddress,
  isHex,
  keccak256,
  namehash,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { HttpError } from '../../errors/httpError.ts'
import type { Clock } from '../../serverDependencies.ts'

/** How long a signed record is valid, in seconds. */
const validSeconds = 300n
/** The maximum length of a request, in characters. */
const maxRequest = 4_096

const serviceAbi = parseAbi(['function resolve(bytes name, bytes data) view returns (bytes, uint64, bytes)'])
// The two functions called `addr` are separate, so that each result is encoded with its own type.
const addressAbi = parseAbi(['function addr(bytes32 node) view returns (address)'])
const coinAddressAbi = parseAbi(['function addr(bytes32 node, uint256 coinType) view returns (bytes)'])
const textAbi = parseAbi(['function text(bytes32 node, string key) view returns (string)'])
const recordsAbi = [...addressAbi, ...coinAddressAbi, ...textAbi] as const
const zero = '0x0000000000000000000000000000000000000000'

/** The text records of a name, by their ENS keys (ENSIP-5). */
const textKeys: Readonly<Record<string, string>> = { description: 'bio' }

/**
 * Creates the gateway through which ENS resolves the server's own names (ERC-3668, ENSIP-10). The operator deploys ENS's
 * OffchainResolver with the URL of the gateway and the address of `privateKey`, and sets it as the resolver of the zone.
 * Unregistered names have empty records.
 *
 * @returns a function that resolves to the response for a resolver contract and its encoded request.
 */
export function createOffchainResolver({
  privateKey,
  zone,
  find,
  now,
}: {
  privateKey: Hex
  zone: string
  find: (name: string) => Promise<Profile | undefined>
  /** Epoch milliseconds. */
  now: Clock
}): (sender: string, data: string) => Promise<Hex> {
  const account = privateKeyToAccount(privateKey)
  return async (sender, data) => {
    if (!isAddress(sender, { strict: false })) throw new HttpError(400, 'sender', 'The sender is not an address')
    if (data.length > maxRequest || !isHex(data)) throw malformed()
    const { name, record } = decoded(data)
    if (!name.endsWith(`.${zone}`)) throw new HttpError(400, 'name', `The name is not in the zone ${zone}`)
    const result = encodedRecord(record, await find(name))
    const expires = BigInt(Math.floor(now() / 1000)) + validSeconds
    const hash = keccak256(
      encodePacked(
        ['bytes2', 'address', 'uint64', 'bytes32', 'bytes32'],
        ['0x1900', sender, expires, keccak256(data), keccak256(result)],
      ),
    )
    const signature = await account.sign({ hash })
    return encodeAbiParameters(parseAbiParameters('bytes result, uint64 expires, bytes signature'), [
      result,
      expires,
      signature,
    ])
  }
}

type NameRecord =
  | { readonly kind: 'address' }
  | { readonly kind: 'coin'; readonly coinType: string }
  | { readonly kind: 'text'; readonly key: string }

function decoded(data: Hex): { name: string; record: NameRecord } {
  try {
    const [encodedName, call] = decodeFunctionData({ abi: serviceAbi, data }).args
    const name = nameIn(encodedName)
    const { args } = decodeFunctionData({ abi: recordsAbi, data: call })
    const [node, of] = args
    if (node !== namehash(name)) throw malformed()
    if (of === undefined) return { name, record: { kind: 'address' } }
    if (typeof of === 'bigint') return { name, record: { kind: 'coin', coinType: String(of) } }
    return { name, record: { kind: 'text', key: of } }
  } catch {
    throw malformed()
  }
}

function encodedRecord(record: NameRecord, profile: Profile | undefined): Hex {
  const own = (coinType: string): Hex | undefined => {
    const found = profile && Object.hasOwn(profile.addresses, coinType) ? profile.addresses[coinType] : undefined
    return found?.address as Hex | undefined
  }
  // An address for all EVM chains applies to each chain without its own address (ENSIP-19).
  const addressOf = (coinType: string): Hex | undefined =>
    own(coinType) ?? (chainIdOfCoinType(Number(coinType)) === undefined ? undefined : own(String(everyEvmChain)))
  if (record.kind === 'address')
    return encodeFunctionResult({ abi: addressAbi, functionName: 'addr', result: addressOf('60') ?? zero })
  if (record.kind === 'coin')
    return encodeFunctionResult({
      abi: coinAddressAbi,
      functionName: 'addr',
      result: addressOf(record.coinType) ?? '0x',
    })
  const key = Object.hasOwn(textKeys, record.key) ? textKeys[record.key] : undefined
  const result = (key && profile?.attributes?.[key]) ?? ''
  return encodeFunctionResult({ abi: textAbi, functionName: 'text', result })
}

/** Decodes a DNS-encoded name, in which each label is preceded by its length, and a zero byte marks the end. */
function nameIn(encoded: Hex): string {
  const bytes = Buffer.from(encoded.slice(2), 'hex')
  const labels: string[] = []
  for (let at = 0; bytes[at]; at += 1 + (bytes[at] ?? 0))
    labels.push(bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)).toString('utf8'))
  return labels.join('.').toLowerCase()
}

function malformed(): HttpError {
  return new HttpError(400, 'data', 'The request is not one of an ENS resolver')
}
