import { fromBase58, toBase58, toUtf8 } from '@latchkey/protocol/bytes'

// The prime and the constant d of Curve25519 in its twisted Edwards form (RFC 8032).
const prime = 2n ** 255n - 19n
const d = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/** Whether 32 bytes are a point of Curve25519, and can therefore be a public key. Addresses of programs are not. */
export function isOnCurve(bytes: Uint8Array): boolean {
  let y = 0n
  for (const [at, byte] of bytes.entries()) y |= BigInt(at === 31 ? byte & 0x7f : byte) << BigInt(8 * at)
  if (y >= prime) return false
  const ySquared = (y * y) % prime
  // x² = (y² − 1) / (d·y² + 1). By Euler's criterion, a product is a square exactly if the quotient is.
  const product = modulo((ySquared - 1n) * (d * ySquared + 1n))
  if (product === 0n) return ((bytes[31] ?? 0) & 0x80) === 0 || ySquared !== 1n
  return power(product, (prime - 1n) / 2n) === 1n
}

function modulo(value: bigint): bigint {
  const rest = value % prime
  return rest < 0n ? rest + prime : rest
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let factor = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % prime
    factor = (factor * factor) % prime
  }
  return result
}

/** The program that creates the token accounts of wallets. */
export const associatedTokenProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/** Resolves to the address of the token account in which a wallet holds `mint` by default. */
export async function associatedTokenAddress({
  owner,
  mint,
  tokenProgram,
}: {
  readonly owner: string
  readonly mint: string
  readonly tokenProgram: string
}): Promise<string> {
  return programAddress([owner, tokenProgram, mint].map(keyOf), associatedTokenProgram)
}

/** Resolves to the first address of a program that is not on the curve, starting with the bump seed 255. */
export async function programAddress(seeds: readonly Uint8Array[], program: string): Promise<string> {
  const suffix = [keyOf(program), toUtf8('ProgramDerivedAddress')]
  for (let bump = 255; bump >= 0; bump--) {
    const bytes = Uint8Array.from([...seeds, Uint8Array.of(bump), ...suffix].flatMap((part) => [...part]))
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    if (!isOnCurve(hash)) return toBase58(hash)
  }
  throw new RangeError('There is no program address for these seeds.')
}

/**
 * Returns the 32 bytes of an address.
 * @throws {RangeError} if it is not a Solana address.
 */
export function keyOf(address: string): Uint8Array {
  const bytes = address.length > 44 ? undefined : fromBase58(address)
  if (bytes?.length !== 32) throw new RangeError(`"${address}" is not a Solana address.`)
  return bytes
}
