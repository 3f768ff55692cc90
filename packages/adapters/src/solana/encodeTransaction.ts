import { keyOf } from './programAddress.ts'

/** An account that an instruction uses. */
export interface AccountUse {
  readonly address: string
  readonly isSigner?: boolean
  readonly isWritable?: boolean
}

/** An instruction of a transaction. */
export interface Instruction {
  readonly program: string
  readonly accounts: readonly AccountUse[]
  readonly data: Uint8Array
}

/** Encodes a legacy transaction in wire format, with empty signatures. `payer` pays the fee and is the first signer. */
export function encodeTransaction({
  payer,
  blockhash,
  instructions,
}: {
  readonly payer: string
  readonly blockhash: string
  readonly instructions: readonly Instruction[]
}): Uint8Array {
  const accounts = accountsOf(payer, instructions)
  const signers = accounts.filter(({ isSigner }) => isSigner)
  const place = (address: string): number => accounts.findIndex((account) => account.address === address)
  const header = [
    signers.length,
    signers.filter(({ isWritable }) => !isWritable).length,
    accounts.filter(({ isSigner, isWritable }) => !isSigner && !isWritable).length,
  ]
  return Uint8Array.from([
    ...shortNumber(signers.length),
    ...new Uint8Array(64 * signers.length),
    ...header,
    ...shortNumber(accounts.length),
    ...accounts.flatMap(({ address }) => [...keyOf(address)]),
    ...keyOf(blockhash),
    ...shortNumber(instructions.length),
    ...instructions.flatMap(({ program, accounts: used, data }) => [
      place(program),
      ...shortNumber(used.length),
      ...used.map(({ address }) => place(address)),
      ...shortNumber(data.length),
      ...data,
    ]),
  ])
}

/** Returns the accounts without duplicates: signers before other accounts, and writable accounts first in each group. */
function accountsOf(payer: string, instructions: readonly Instruction[]): readonly Required<AccountUse>[] {
  const all = [
    { address: payer, isSigner: true, isWritable: true },
    ...instructions.flatMap(({ accounts }) => accounts),
    ...instructions.map(({ program }) => ({ address: program })),
  ]
  const merged = new Map<string, Required<AccountUse>>()
  for (const { address, isSigner = false, isWritable = false } of all as readonly AccountUse[]) {
    const known = merged.get(address)
    merged.set(address, {
      address,
      isSigner: isSigner || known?.isSigner === true,
      isWritable: isWritable || known?.isWritable === true,
    })
  }
  const rank = ({ isSigner, isWritable }: Required<AccountUse>): number => (isSigner ? 0 : 2) + (isWritable ? 0 : 1)
  // The sort is stable, so the payer stays first.
  return [...merged.values()].sort((a, b) => rank(a) - rank(b))
}

/** Encodes a Solana compact-u16, which stores seven bits per byte, least significant first. */
function shortNumber(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...shortNumber(value >> 7)]
}

/** Encodes a number in `bytes` bytes, least significant first. */
export function littleEndian(value: bigint, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, at) => Number((value >> BigInt(8 * at)) & 255n))
}
