import { base58 } from '@scure/base'

// A minimal Solana client for pages without a library, which encodes transfers and sends JSON-RPC requests.

/** Sends a JSON-RPC request to a Solana node. */
export async function askSolana<Result>(url: string, method: string, params: readonly unknown[] = []): Promise<Result> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await answer.json()) as { result?: Result; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result as Result
}

/** Resolves to a transfer in base58 with an empty signature. */
export async function transferOf(
  url: string,
  { from, to, lamports }: { from: string; to: string; lamports: number },
): Promise<string> {
  const { value } = await askSolana<{ value: { blockhash: string } }>(url, 'getLatestBlockhash')
  const data = new Uint8Array(12)
  const view = new DataView(data.buffer)
  view.setUint32(0, 2, true)
  view.setBigUint64(4, BigInt(lamports), true)
  // The only signer is also the fee payer. The System program is read-only.
  const accounts = [from, to, '11111111111111111111111111111111'].flatMap((account) => [...base58.decode(account)])
  const message = [1, 0, 1, 3, ...accounts, ...base58.decode(value.blockhash), 1, 2, 2, 0, 1, 12, ...data]
  return base58.encode(Uint8Array.from([1, ...new Uint8Array(64), ...message]))
}

/** Resolves to the balance of `address` in lamports. */
export async function lamportsOf(url: string, address: string): Promise<number> {
  return (await askSolana<{ value: number }>(url, 'getBalance', [address])).value
}

/** Resolves to how much of a token `owner` has, in base units. */
export async function tokenAmountOf(
  url: string,
  { owner, mint }: { readonly owner: string; readonly mint: string },
): Promise<string | undefined> {
  const { value } = await askSolana<{
    value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[]
  }>(url, 'getTokenAccountsByOwner', [owner, { mint }, { encoding: 'jsonParsed' }])
  return value[0]?.account.data.parsed.info.tokenAmount.amount
}
