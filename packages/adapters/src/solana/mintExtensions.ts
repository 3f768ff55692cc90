/** The type numbers of the Token-2022 extensions that are read. */
const numbers = {
  transferFee: 1,
  nonTransferable: 9,
  interest: 10,
  transferHook: 14,
  metadata: 19,
  scaledAmount: 25,
} as const

/** The offset of a mint's first extension, in bytes. The byte before it is the account type. */
const firstAt = 166

/**
 * Returns the data of a mint's extension, without its type and length, or `undefined` if the mint does not have the extension.
 */
export function mintExtension(mint: Uint8Array, name: keyof typeof numbers): Uint8Array | undefined {
  const view = viewOf(mint)
  for (let at = firstAt; at + 4 <= mint.length; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === numbers[name]) return mint.subarray(at + 4, at + 4 + view.getUint16(at + 2, true))
  return undefined
}

/** Returns a view for reading the numbers in bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Whether plain transfers fail: the token cannot be transferred at all, or only with the accounts of another program. */
export function refusesTransfers(mint: Uint8Array): boolean {
  const hook = mintExtension(mint, 'transferHook')
  const hasHook = hook?.subarray(32, 64).some((byte) => byte !== 0) === true
  return hasHook || mintExtension(mint, 'nonTransferable') !== undefined
}

/**
 * Whether a token's amounts are displayed multiplied by a factor (`ScaledUiAmount`) or with interest, now or in the future.
 * Other wallets then show a different amount for the same base units.
 */
export function hasScaledAmounts(mint: Uint8Array): boolean {
  const [scaled, interest] = [mintExtension(mint, 'scaledAmount'), mintExtension(mint, 'interest')]
  const factors = scaled && scaled.length >= 56 ? [32, 48].map((at) => viewOf(scaled).getFloat64(at, true)) : []
  const rates = interest && interest.length >= 52 ? [40, 50].map((at) => viewOf(interest).getInt16(at, true)) : []
  return factors.some((factor) => factor !== 1) || rates.some((rate) => rate !== 0)
}

/** The byte offsets of the current and the next fee. Each consists of an epoch, a maximum in base units and basis points. */
const feesAt = [72, 90] as const

/**
 * Returns the maximum amount that a token withholds from a transfer, in base units. The recipient receives the rest.
 * `undefined` if the extension is incomplete.
 */
export function transferFeeOf(mint: Uint8Array, amount: bigint): bigint | undefined {
  const extension = mintExtension(mint, 'transferFee')
  if (!extension) return 0n
  if (extension.length < 108) return undefined
  const view = viewOf(extension)
  const fees = feesAt.map((at) => {
    const max = view.getBigUint64(at + 8, true)
    const fee = (amount * BigInt(view.getUint16(at + 16, true)) + 9_999n) / 10_000n
    return fee < max ? fee : max
  })
  // biome-ignore lint/complexity/useMathMinMax: Math.max() does not accept bigints
  return fees.reduce((highest, fee) => (fee > highest ? fee : highest), 0n)
}
