import { toBase58 } from '@latchkey/protocol/bytes'
import { expect, test } from 'vitest'
import { KeyError } from '../errors.ts'
import { isSolanaMessage, parseSolanaMessage, parseSolanaTransaction } from './solanaTransaction.ts'

/** Returns a key that consists of 32 identical bytes. */
const key = (byte: number): number[] => Array.from({ length: 32 }, () => byte)

interface Parts {
  readonly version?: readonly number[]
  readonly header?: readonly number[]
  readonly accounts?: readonly (readonly number[])[]
  readonly instructions?: readonly number[]
  readonly lookups?: readonly number[]
}

/** Returns a message with one signer, one other account and one program. It calls the program with account 1 and data 7, 8. */
function message({
  version = [],
  header = [1, 0, 1],
  accounts = [key(1), key(2), key(3)],
  instructions = [1, 2, 1, 1, 2, 7, 8],
  lookups = [],
}: Parts = {}): Uint8Array {
  const listed = accounts.flat()
  return Uint8Array.from([...version, ...header, accounts.length, ...listed, ...key(9), ...instructions, ...lookups])
}

const versioned = [0x80]
/** One lookup table with the writable index 4 and the read-only indices 5 and 6. Instructions use the indices 3, 4 and 5. */
const oneLookup = [1, ...key(8), 1, 4, 2, 5, 6]

/** Returns the detail in the error message, or `undefined` if `act` does not throw. */
function rejection(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    expect(error.code).toBe('sign/malformed')
    return /\(([^()]*)\)$/.exec(error.message)?.[1]
  }
}

test('a legacy message is parsed', () => {
  expect(parseSolanaMessage(message())).toEqual({
    version: 'legacy',
    accounts: [1, 2, 3].map((byte) => toBase58(Uint8Array.from(key(byte)))),
    signerCount: 1,
    readonlySigners: 0,
    readonlyOthers: 1,
    blockhash: toBase58(Uint8Array.from(key(9))),
    instructions: [{ program: 2, accounts: [1], data: Uint8Array.of(7, 8) }],
    lookups: [],
  })
})

test('instructions in a version 0 message can use accounts from lookup tables', () => {
  const instructions = [1, 2, 3, 3, 4, 5, 0]
  const parsed = parseSolanaMessage(message({ version: versioned, instructions, lookups: oneLookup }))
  expect(parsed.version).toBe(0)
  expect(parsed.lookups).toEqual([{ table: toBase58(Uint8Array.from(key(8))), writable: [4], readonly: [5, 6] }])
  expect(parsed.instructions).toEqual([{ program: 2, accounts: [3, 4, 5], data: Uint8Array.of() }])
})

test.each<[what: string, parts: Parts, detail: string]>([
  ['version 1', { version: [0x81], lookups: [0] }, 'version'],
  ['no signer', { header: [0, 0, 1] }, 'header'],
  ['only read-only signers, so that no account can pay the fee', { header: [1, 1, 1] }, 'header'],
  ['more read-only signers than signers', { header: [1, 2, 1] }, 'header'],
  ['more accounts in the header than in the list', { header: [1, 0, 3] }, 'header'],
  ['more signers than accounts', { header: [4, 0, 0] }, 'header'],
  ['the fee payer as the program', { instructions: [1, 0, 1, 1, 0] }, 'instruction'],
  ['a program that is not in the list', { instructions: [1, 3, 1, 1, 0] }, 'instruction'],
  [
    'a program from a lookup table',
    { version: versioned, instructions: [1, 3, 0, 0], lookups: oneLookup },
    'instruction',
  ],
  ['an account that is not in the list', { instructions: [1, 2, 1, 3, 0] }, 'instruction'],
  ['one valid and one unknown account', { instructions: [1, 2, 2, 1, 3, 0] }, 'instruction'],
  [
    'an account index beyond the accounts from lookup tables',
    { version: versioned, instructions: [1, 2, 1, 6, 0], lookups: oneLookup },
    'instruction',
  ],
  ['lookup tables in a legacy message', { lookups: oneLookup }, 'transaction length'],
  ['a trailing byte', { lookups: [0] }, 'transaction length'],
  ['data that ends early', { instructions: [1, 2, 1, 1, 3, 7, 8] }, 'transaction ends early'],
  ['a count that is not in its shortest form', { instructions: [0x81, 0x00, 2, 1, 1, 2, 7, 8] }, 'count'],
  ['a four-byte count', { instructions: [0xff, 0xff, 0xff, 0x01] }, 'count'],
  ['a count above 65535', { instructions: [0xff, 0xff, 0x04] }, 'count'],
])('a message is rejected: %s', (_, parts, detail) => {
  expect(rejection(() => parseSolanaMessage(message(parts)))).toBe(detail)
  expect(isSolanaMessage(message(parts))).toBe(false)
})

test.each<[what: string, parts: Parts]>([
  ['every account signs', { header: [3, 2, 0] }],
  ['every other account is read-only', { header: [1, 0, 2] }],
  ['no instruction', { instructions: [0] }],
  ['an instruction without accounts or data', { instructions: [1, 1, 0, 0] }],
  ['version 0 without lookup tables', { version: versioned, lookups: [0] }],
])('a message is accepted: %s', (_, parts) => {
  expect(rejection(() => parseSolanaMessage(message(parts)))).toBeUndefined()
  expect(isSolanaMessage(message(parts))).toBe(true)
})

test.each([127, 128, 16_383, 16_384])('an instruction can have %i bytes of data', (length) => {
  const count =
    length < 128
      ? [length]
      : length < 16_384
        ? [(length & 0x7f) | 0x80, length >> 7]
        : [(length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, length >> 14]
  const data = Array.from({ length }, () => 5)
  const parsed = parseSolanaMessage(message({ instructions: [1, 2, 0, ...count, ...data] }))
  expect(parsed.instructions[0]?.data).toHaveLength(length)
})

test('a transaction contains one signature for each signer, followed by the message', () => {
  const signed = (count: number, header: readonly number[]) =>
    Uint8Array.from([count, ...Array.from({ length: count * 64 }, () => 6), ...message({ header })])
  const parsed = parseSolanaTransaction(signed(2, [2, 0, 1]))
  expect(parsed).toMatchObject({ signaturesAt: 1, signatureCount: 2, message: { signerCount: 2 } })
  expect(parsed.messageBytes).toEqual(message({ header: [2, 0, 1] }))
  expect(rejection(() => parseSolanaTransaction(signed(1, [2, 0, 1])))).toBe('signatures')
  expect(rejection(() => parseSolanaTransaction(signed(2, [1, 0, 1])))).toBe('signatures')
  expect(rejection(() => parseSolanaTransaction(signed(1, [1, 0, 1]).subarray(0, 60)))).toBe('transaction ends early')
  expect(rejection(() => parseSolanaTransaction(new Uint8Array()))).toBe('transaction ends early')
})

test('a transaction can have at most 1232 bytes', () => {
  const transaction = (size: number) => {
    const rest = [1, ...Array.from({ length: 64 }, () => 6), ...message({ instructions: [] })]
    const length = size - rest.length - 5
    const instructions = [1, 2, 0, (length & 0x7f) | 0x80, length >> 7, ...Array.from({ length }, () => 5)]
    return Uint8Array.from([...rest, ...instructions])
  }
  expect(transaction(1232)).toHaveLength(1232)
  expect(rejection(() => parseSolanaTransaction(transaction(1232)))).toBeUndefined()
  expect(rejection(() => parseSolanaTransaction(transaction(1233)))).toBe('transaction too large')
})
