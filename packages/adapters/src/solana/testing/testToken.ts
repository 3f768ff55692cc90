import { toBase58, toBase64 } from '@latchkey/protocol/bytes'
import { ed25519 } from '@noble/curves/ed25519.js'
import { encodeTransaction, type Instruction, littleEndian } from '../encodeTransaction.ts'
import { associatedTokenAddress, associatedTokenProgram, keyOf } from '../programAddress.ts'

const plainProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const systemProgram = '11111111111111111111111111111111'

/** A Solana account with its secret key. */
export interface TestWallet {
  readonly secret: Uint8Array
  readonly address: string
}

/** Creates a wallet. If `amount` is given, the node's faucet pays it that many lamports. */
export async function createTestWallet(url: string, amount = 0n): Promise<TestWallet> {
  const secret = ed25519.utils.randomSecretKey()
  const address = toBase58(ed25519.getPublicKey(secret))
  if (amount > 0n) await ask(url, 'requestAirdrop', address, Number(amount))
  return { secret, address }
}

/** Signs a transaction, whose first signers are the wallets, and sends it. Resolves to its signature. */
export function signAndSend(url: string, transaction: Uint8Array, signers: readonly TestWallet[]): Promise<string> {
  const signed = transaction.slice()
  const message = transaction.slice(1 + 64 * signers.length)
  for (const [at, { secret }] of signers.entries()) signed.set(ed25519.sign(message, secret), 1 + 64 * at)
  return ask(url, 'sendTransaction', toBase64(signed), { encoding: 'base64' })
}

/**
 * Creates a token with six decimals. `owner` pays for it. `recipient`, by default the owner, receives `amount` base units.
 * Resolves to the token's mint. With `feeBps`, it is a token of Token-2022 that withholds this part of each transfer.
 */
export async function createTestToken(
  url: string,
  {
    owner,
    amount,
    recipient = owner.address,
    feeBps,
  }: { owner: TestWallet; amount: bigint; recipient?: string; feeBps?: number },
): Promise<string> {
  const tokenProgram = feeBps === undefined ? plainProgram : token2022
  // The account type is followed by the extension, which has a header of four bytes.
  const size = feeBps === undefined ? 82 : 166 + 4 + 108
  const mint = await createTestWallet(url)
  const { value } = await ask<{ value: { blockhash: string } }>(url, 'getLatestBlockhash')
  const rent = BigInt(await ask<number>(url, 'getMinimumBalanceForRentExemption', size))
  const instructions: Instruction[] = [
    {
      program: systemProgram,
      accounts: [
        { address: owner.address, isSigner: true, isWritable: true },
        { address: mint.address, isSigner: true, isWritable: true },
      ],
      data: Uint8Array.from([
        ...littleEndian(0n, 4),
        ...littleEndian(rent, 8),
        ...littleEndian(BigInt(size), 8),
        ...keyOf(tokenProgram),
      ]),
    },
    ...(feeBps === undefined
      ? []
      : [
          {
            program: tokenProgram,
            accounts: [{ address: mint.address, isWritable: true }],
            // InitializeTransferFeeConfig without authorities, and with a high maximum.
            data: Uint8Array.from([26, 0, 0, 0, ...littleEndian(BigInt(feeBps), 2), ...littleEndian(2n ** 60n, 8)]),
          },
        ]),
    {
      program: tokenProgram,
      accounts: [{ address: mint.address, isWritable: true }],
      data: Uint8Array.from([20, 6, ...keyOf(owner.address), 0]),
    },
    ...(await mintInstructions({ authority: owner, mint: mint.address, recipient, amount }, tokenProgram)),
  ]
  await signAndSend(url, encodeTransaction({ payer: owner.address, blockhash: value.blockhash, instructions }), [
    owner,
    mint,
  ])
  return mint.address
}

/** Mints `amount` base units of a token to `recipient`. The mint authority `authority` pays the fee and the deposit. */
export async function mintTestToken(url: string, minted: Minted & { readonly authority: TestWallet }): Promise<void> {
  const { value } = await ask<{ value: { blockhash: string } }>(url, 'getLatestBlockhash')
  const instructions = await mintInstructions(minted)
  const { authority } = minted
  const transaction = encodeTransaction({ payer: authority.address, blockhash: value.blockhash, instructions })
  await signAndSend(url, transaction, [authority])
}

interface Minted {
  readonly authority: Pick<TestWallet, 'address'>
  readonly mint: string
  readonly recipient: string
  readonly amount: bigint
}

/** Returns the instructions that open the recipient's account, unless it exists, and mint to it. */
async function mintInstructions(
  { authority, mint, recipient, amount }: Minted,
  tokenProgram = plainProgram,
): Promise<readonly Instruction[]> {
  const account = await associatedTokenAddress({ owner: recipient, mint, tokenProgram })
  return [
    {
      program: associatedTokenProgram,
      accounts: [
        { address: authority.address, isSigner: true, isWritable: true },
        { address: account, isWritable: true },
        { address: recipient },
        { address: mint },
        { address: systemProgram },
        { address: tokenProgram },
      ],
      data: Uint8Array.of(1),
    },
    {
      program: tokenProgram,
      accounts: [
        { address: mint, isWritable: true },
        { address: account, isWritable: true },
        { address: authority.address, isSigner: true },
      ],
      data: Uint8Array.from([7, ...littleEndian(amount, 8)]),
    },
  ]
}

async function ask<Result>(url: string, method: string, ...params: readonly unknown[]): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await answer.json()) as { result: Result; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
}
