import type { TypedData } from '@latchkey/vault/signers/typedData'
import { type Contracts, factsOf } from './contractFacts.ts'
import {
  amountIn,
  type DecodedTypedData,
  expiryIn,
  hasDomain,
  hasExactTypes,
  membersOf,
  type Permission,
  structsIn,
} from './typedDataParts.ts'

// A permit must match both the verifying contract and the complete type. Otherwise, the signature could grant a different right.

const eip2612 = { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' }
const dai = { Permit: 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed' }

/** Decodes a token's own permit, which follows EIP-2612 or the older format used by DAI. */
export function readTokenPermit(
  typed: TypedData,
  { account, contracts }: { account: string; contracts: Contracts },
): DecodedTypedData | undefined {
  const { domain, message } = typed
  const token = domain.verifyingContract
  if (token === undefined || factsOf(contracts, token).kind !== 'erc20') return undefined
  if (hasExactTypes(typed, 'Permit', eip2612)) {
    if (!isSame(message.owner, account)) return undefined
    const amount = amountIn(message.value, 256)
    const signatureExpires = expiryIn(message.deadline, 256)
    const spender = String(message.spender)
    if (amount === 0n) return { kind: 'permitRevoke', spender, token, signatureExpires }
    // In EIP-2612, the signature expires but the allowance does not.
    return { kind: 'permit', spender, permissions: [{ token, amount, expires: 'never' }], signatureExpires }
  }
  if (hasExactTypes(typed, 'Permit', dai)) {
    if (!isSame(message.holder, account)) return undefined
    const spender = String(message.spender)
    // DAI treats an expiry of 0 as no expiry.
    const expiry = expiryIn(message.expiry, 256)
    const signatureExpires = expiry === 0n ? 'never' : expiry
    if (message.allowed !== true) return { kind: 'permitRevoke', spender, token, signatureExpires }
    return {
      kind: 'permit',
      spender,
      permissions: [{ token, amount: 'unlimited', expires: 'never' }],
      signatureExpires,
    }
  }
  return undefined
}

/** The published addresses of Permit2, which are the same on every network except zkSync. */
const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const permit2ZkSync = '0x0000000000225e31d15943971f47ad3022f714fa'
const zkSync = [280, 300, 324]

const details = { PermitDetails: 'address token,uint160 amount,uint48 expiration,uint48 nonce' }
const single = { PermitSingle: 'PermitDetails details,address spender,uint256 sigDeadline', ...details }
const batch = { PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline', ...details }
const permitted = { TokenPermissions: 'address token,uint256 amount' }
const transferFields = 'address spender,uint256 nonce,uint256 deadline'

/** Decodes a Permit2 permit, which grants an allowance (AllowanceTransfer) or a single transfer (SignatureTransfer). */
export function readPermit2(
  typed: TypedData,
  { chainId, contracts }: { chainId: number; contracts: Contracts },
): DecodedTypedData | undefined {
  const { domain, message, primaryType } = typed
  const published = zkSync.includes(chainId) ? permit2ZkSync : permit2
  if (domain.verifyingContract?.toLowerCase() !== published) return undefined
  // Permit2's domain has exactly these three fields.
  if (domain.name !== 'Permit2' || domain.chainId !== chainId || !hasDomain(typed, 'name,chainId,verifyingContract'))
    return undefined
  const spender = String(message.spender)

  if (hasExactTypes(typed, 'PermitSingle', single) || hasExactTypes(typed, 'PermitBatch', batch)) {
    const permissions = structsIn(message.details).map((item): Permission => {
      const amount = amountIn(item.amount, 160)
      // Permit2's Allowance.updateAmountAndExpiration: "If the inputted expiration is 0, the allowance only lasts the duration of
      // the block."
      const expires = expiryIn(item.expiration, 48)
      return { token: String(item.token), amount, expires: expires === 0n ? 'sameBlock' : expires }
    })
    if (!areAmounts(permissions, contracts)) return undefined
    const signatureExpires = expiryIn(message.sigDeadline, 256)
    const [only] = permissions
    if (permissions.length === 1 && only?.amount === 0n)
      return { kind: 'permitRevoke', spender, token: only.token, signatureExpires }
    return { kind: 'permit', spender, permissions, signatureExpires }
  }

  const isBatch = primaryType.startsWith('PermitBatch')
  const hasWitness = primaryType === 'PermitWitnessTransferFrom' || primaryType === 'PermitBatchWitnessTransferFrom'
  const fields = `TokenPermissions${isBatch ? '[]' : ''} permitted,${transferFields}`
  const isTransfer = hasWitness
    ? hasWitnessTypes(typed, fields)
    : hasExactTypes(typed, isBatch ? 'PermitBatchTransferFrom' : 'PermitTransferFrom', {
        [primaryType]: fields,
        ...permitted,
      })
  if (!isTransfer) return undefined
  const permissions = structsIn(message.permitted).map(
    (item): Permission => ({ token: String(item.token), amount: amountIn(item.amount, 256) }),
  )
  if (!areAmounts(permissions, contracts)) return undefined
  return { kind: 'permitTransfer', spender, permissions, signatureExpires: expiryIn(message.deadline, 256), hasWitness }
}

/** Returns the addresses of the tokens in a permit. The meaning of the permit depends on what kind of contract each token is. */
export function tokensOfPermit({ message, domain }: TypedData): readonly string[] {
  const named = [...structsIn(message.details), ...structsIn(message.permitted)].map(({ token }) => token)
  return [domain.verifyingContract, ...named].filter((item) => typeof item === 'string')
}

/** Whether the type includes a witness: a fifth field of any type, which Permit2 includes in the hash. */
function hasWitnessTypes({ types, primaryType }: TypedData, fields: string): boolean {
  const declared = types[primaryType] ?? []
  return (
    declared.length === 5 &&
    membersOf(declared.slice(0, 4)) === fields &&
    membersOf(types.TokenPermissions) === permitted.TokenPermissions
  )
}

/**
 * Whether every token is an ERC-20. Permit2 calls `transferFrom`, and an ERC-721 collection would treat the amount as a token ID.
 */
function areAmounts(permissions: readonly Permission[], contracts: Contracts): boolean {
  return permissions.length > 0 && permissions.every(({ token }) => factsOf(contracts, token).kind === 'erc20')
}

function isSame(value: unknown, account: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === account.toLowerCase()
}
