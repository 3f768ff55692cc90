import {
  chainIdOfCoinType,
  everyEvmChain,
  type LabelProblem,
  labelProblem,
  maxLabelLength,
  minLabelLength,
} from '@latchkey/protocol/accountNames'
import type { NameSuggestion, Profile, SignedProfileBody } from '@latchkey/protocol/http/chainApi'
import type { SignatureVerifier } from '@latchkey/siwx'
import { signedByKey } from '@latchkey/siwx/verify/eip155'
import type { NamesConfig } from '../../config/accountNamesConfig.ts'
import { HttpError } from '../../errors/httpError.ts'
import type { NameConflict, NameStore, StoredAddress, StoredName } from '../../storage/databaseAccountNames.ts'
import type { AccountNames } from '../chainApiTypes.ts'
import {
  checkAttributes,
  checkSignedTime,
  parseAddressChange,
  parseAttributesChange,
  parseRegistration,
} from './parseSignedMessages.ts'
import { suggestNames } from './suggestNames.ts'

type Eip155Chain = `eip155:${string}`

/** The maximum number of available names that are suggested in addition to the requested one. */
const maxFreeSuggestions = 4

/**
 * Creates the server's account names. A name belongs to the address that registered it, and only that address can change it.
 * Each signed message is accepted once, and only if the owner has not signed a newer one.
 */
export function createAccountNames({
  config: { zone, reserved, maxPerAccount, signingSeconds },
  store,
  verify,
  chains,
  now,
}: {
  config: NamesConfig
  store: NameStore
  /** Verifies signatures of EOAs and contracts. Rejects if the node of a contract's chain does not respond. */
  verify: SignatureVerifier
  /**
   * Returns the CAIP-2 IDs of the chains with a node. Names can be registered from accounts on these chains and on Ethereum.
   */
  chains: () => readonly string[]
  /** Epoch milliseconds. */
  now: () => number
}): AccountNames {
  const isReserved = (label: string): boolean => reserved.includes(label)

  function checkName(name: string): void {
    if (!/^[a-z0-9.-]*$/.test(name))
      throw new HttpError(400, 'name', 'A name can only have the letters a to z, digits and hyphens')
    const parts = name.split('.')
    const [label = ''] = parts
    if (parts.length !== 3) throw new HttpError(400, 'name', `A name must have the form name.${zone}`)
    const problem = labelProblem(label, minLabelLength)
    if (problem) throw new HttpError(400, 'name', problemSentences[problem])
    if (name !== `${label}.${zone}`) throw new HttpError(400, 'name', `The name is not in the zone ${zone}`)
    if (isReserved(label)) throw new HttpError(400, 'name', 'The name is reserved')
  }

  /** Returns the CAIP-2 chain of a coin type. */
  function chainOf(coinType: number): Eip155Chain {
    const chainId = chainIdOfCoinType(coinType)
    const chain: Eip155Chain = `eip155:${chainId}`
    if (chainId === undefined || (chainId !== 1 && !chains().includes(chain)))
      throw new HttpError(400, 'coin_type', `The coin type ${coinType} is not supported`)
    return chain
  }

  /** Throws unless the account signed the message. */
  async function checkSignature(
    { message, signature }: SignedProfileBody,
    { address, chain }: { address: string; chain: Eip155Chain },
    signal: AbortSignal,
  ): Promise<void> {
    const isValid = await verify({ account: `${chain}:${address}`, message, signature }).catch(() => {
      // Without a node for the chain, EOAs can register names, but contracts cannot.
      if (!chains().includes(chain)) return false
      throw new HttpError(503, 'signature', 'The signature could not be checked: no node is available', 1)
    })
    signal.throwIfAborted()
    if (!isValid) throw new HttpError(401, 'signature', 'The signature is not valid for the account')
  }

  async function owned(name: string): Promise<StoredName> {
    const found = await store.find(name)
    if (!found) throw new HttpError(404, 'name', 'The name is not registered')
    return found
  }

  return {
    zone,
    find: async (name) => {
      const found = await store.find(name.toLowerCase())
      return found && profileOf(found)
    },
    findByAddress: async (address) => {
      const owner = address.toLowerCase()
      if (!isEvmAddress(owner)) return []
      const names = await store.ownedBy(owner)
      // Only return names that the address registered itself and that still resolve to it. Otherwise, anyone could choose a
      // name for the address.
      return names
        .filter(({ addresses }) => current(addresses).some((item) => item.address.toLowerCase() === owner))
        .map(profileOf)
    },
    suggestions: async (text, wantedZone) => {
      const label = text.toLowerCase()
      if (wantedZone !== undefined && wantedZone !== zone)
        throw new HttpError(400, 'zone', `The zone of this server is ${zone}`)
      const problem = labelProblem(label, minLabelLength)
      if (problem) throw new HttpError(400, 'name', problemSentences[problem])
      const candidates = [label, ...(await suggestNames(label))].filter(
        (item) => labelProblem(item, minLabelLength) === undefined,
      )
      const registered = await store.registered(candidates.map((item) => `${item}.${zone}`))
      const suggestions = candidates.map(
        (item): NameSuggestion => ({
          name: `${item}.${zone}`,
          registered: registered.has(`${item}.${zone}`) || isReserved(item),
        }),
      )
      const free = suggestions.slice(1).filter((item) => !item.registered)
      return [...suggestions.slice(0, 1), ...free.slice(0, maxFreeSuggestions)]
    },
    register: async (body, signal) => {
      const { name, attributes, timestamp } = parseRegistration(body.message)
      checkName(name)
      const chain = chainOf(body.coin_type)
      if (await store.find(name)) throw conflict('taken')
      checkSignedTime(timestamp, { now: now(), signingSeconds })
      checkAttributes(attributes ?? {})
      if (!isEvmAddress(body.address)) throw new HttpError(400, 'address', 'The address is not valid')
      await checkSignature(body, { address: body.address, chain }, signal)
      const refused = await store.register({
        name,
        owner: body.address.toLowerCase(),
        ownerChain: chain,
        attributes: attributes ?? {},
        address: await checksummed(body.address),
        coinTypes: coinTypesFor(body.coin_type, signedByKey(body)),
        maxPerOwner: maxPerAccount,
        signedAt: timestamp,
        at: now(),
      })
      if (refused) throw conflict(refused)
      return profileOf(await owned(name))
    },
    setAttributes: async (name, body, signal) => {
      const { attributes, timestamp } = parseAttributesChange(body.message)
      const { owner, ownerChain } = await owned(name)
      checkSignedTime(timestamp, { now: now(), signingSeconds })
      checkAttributes(attributes)
      await checkSignature(body, { address: owner, chain: ownerChain }, signal)
      const refused = await store.setAttributes({ name, owner, attributes, signedAt: timestamp, at: now() })
      if (refused) throw conflict(refused)
      return attributes
    },
    setAddress: async (name, body, signal) => {
      const { coin_type: coinType, address, timestamp } = parseAddressChange(body.message)
      chainOf(coinType)
      const { owner, ownerChain } = await owned(name)
      checkSignedTime(timestamp, { now: now(), signingSeconds })
      await checkSignature(body, { address: owner, chain: ownerChain }, signal)
      if (!isEvmAddress(address)) throw new HttpError(400, 'address', 'The address is not valid')
      const refused = await store.setAddress({
        name,
        owner,
        coinTypes: [storedCoinType(coinType)],
        address: await checksummed(address),
        signedAt: timestamp,
        at: now(),
      })
      if (refused) throw conflict(refused)
      return addressesOf((await owned(name)).addresses)
    },
  }
}

const problemSentences: Readonly<Record<LabelProblem, string>> = {
  'too-short': `A name must have at least ${minLabelLength} characters`,
  'too-long': `A name can have at most ${maxLabelLength} characters`,
  characters: 'A name can only have the letters a to z, digits and hyphens',
  hyphens: 'A hyphen must be between letters or digits, and a name cannot look like an encoded one',
}

function conflict(kind: NameConflict): HttpError {
  if (kind === 'taken') return new HttpError(400, 'name', 'The name is already registered')
  if (kind === 'limit') return new HttpError(400, 'address', 'The account cannot register more names')
  return new HttpError(400, 'timestamp', 'The signed message, or a newer one of the account, has already been used')
}

// Ethereum Mainnet has two coin types: 60, and 2147483649 in requests from existing clients.
const storedCoinType = (coinType: number): number => (chainIdOfCoinType(coinType) === 1 ? 60 : coinType)

// The name of an EOA resolves on all EVM chains. Its address is also stored under Ethereum's coin type, because other clients
// only read that one. A contract is only known to exist on the chain on which its signature was verified. Funds that are sent
// to its address on another chain could be lost.
const coinTypesFor = (coinType: number, isKey: boolean): readonly number[] => [
  ...new Set([storedCoinType(coinType), ...(isKey ? [60, everyEvmChain] : [])]),
]

/** Returns the addresses that apply. If the owner has changed the address on Ethereum, omits the address for all EVM chains. */
function current(addresses: readonly StoredAddress[]): readonly StoredAddress[] {
  const onEthereum = addresses.find(({ coinType }) => coinType === 60)?.address
  return addresses.filter(({ coinType, address }) => coinType !== everyEvmChain || address === onEthereum)
}

const isEvmAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text)

/** Resolves to an address with its checksum (EIP-55). Rejects with 400 if its checksum is wrong. */
async function checksummed(address: string): Promise<string> {
  const { checksumAddress } = await import('viem')
  const right = checksumAddress(address.toLowerCase() as `0x${string}`)
  if (address !== right && address !== address.toLowerCase())
    throw new HttpError(400, 'address', 'The checksum of the address is wrong')
  return right
}

function profileOf({ name, registeredAt, updatedAt, attributes, addresses }: StoredName): Profile {
  return {
    name,
    registered_at: new Date(registeredAt).toISOString(),
    updated_at: updatedAt === null ? null : new Date(updatedAt).toISOString(),
    attributes,
    addresses: addressesOf(addresses),
  }
}

function addressesOf(addresses: readonly StoredAddress[]): Profile['addresses'] {
  return Object.fromEntries(
    current(addresses).map(({ coinType, address, createdAt }) => [
      String(coinType),
      { address, created_at: new Date(createdAt).toISOString() },
    ]),
  )
}
