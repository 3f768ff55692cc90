import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fromBase58, fromBase64, toBase58, toBase64 } from '@latchkey/protocol/bytes'
import type { LiteSVM } from 'litesvm'
import * as v from 'valibot'

/** A local Solana runtime with the part of the RPC API that wallets use. */
export interface LocalSolana {
  /** The CAIP-2 chain ID. */
  readonly chainId: string
  readonly url: string
  close(): Promise<void>
}

/** A chain ID that no other network uses. It is the prefix of an unused genesis hash. */
const localSolanaChain = 'solana:BakeryLoca1So1anaNetwork11111111'

const genesis = 'BakeryLoca1So1anaNetwork1111111111111111111'
/**
 * The number of recent blockhashes that remain valid, as on mainnet. Unlike on mainnet, only transactions and airdrops create a
 * new blockhash.
 */
const maxHashes = 150

const question = v.object({
  id: v.optional(v.union([v.string(), v.number(), v.null()]), null),
  method: v.pipe(v.string(), v.maxLength(100)),
  params: v.optional(v.array(v.unknown()), []),
})

interface Receipt {
  readonly slot: number
  readonly err: unknown
  readonly blockTime: number
}

/** A JSON-RPC error from the node. */
class NodeError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/**
 * Starts a local Solana node on a free port. The first request loads the LiteSVM runtime. If the runtime is not installed,
 * requests fail with an explanation.
 */
export async function startSolana(): Promise<LocalSolana> {
  let starting: Promise<Node> | undefined
  const node = (): Promise<Node> => {
    starting ??= startNode()
    return starting
  }
  const answer = async (request: unknown): Promise<object> => {
    const read = v.safeParse(question, request)
    if (!read.success) return { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Invalid request' } }
    const { id, method, params } = read.output
    try {
      const { methods } = await node()
      const found = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (!found) throw new NodeError(-32_601, 'Method not found')
      return { jsonrpc: '2.0', id, result: found(params) }
    } catch (error) {
      const { code = -32_603, data } = error as Partial<NodeError>
      const message = error instanceof Error ? error.message : 'Internal error'
      return { jsonrpc: '2.0', id, error: { code: typeof code === 'number' ? code : -32_603, message, data } }
    }
  }
  const server = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'content-type, solana-client')
    if (request.method !== 'POST') return void response.end()
    const body = await jsonOf(request)
    const result = Array.isArray(body) ? await Promise.all(body.map(answer)) : await answer(body)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(result))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    chainId: localSolanaChain,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Node {
  readonly methods: Readonly<Record<string, (params: readonly unknown[]) => unknown>>
}

async function startNode(): Promise<Node> {
  const { LiteSVM, FailedTransactionMetadata } = await import('litesvm').catch((cause: unknown) => {
    throw new Error('The local Solana node requires the litesvm package: npm install litesvm', { cause })
  })
  const svm = new LiteSVM().withBlockhashCheck(false)
  type Sent = Parameters<LiteSVM['sendTransaction']>[0]
  type Address = Parameters<LiteSVM['getBalance']>[0]
  type Lamports = Parameters<LiteSVM['airdrop']>[1]
  let slot = 1
  const hashes: string[] = []
  const receipts = new Map<string, Receipt>()

  const context = (value: unknown) => ({ context: { apiVersion: '3.0.0', slot }, value })
  const hashNow = (): string => {
    const now = svm.latestBlockhash() as string
    if (!hashes.includes(now)) hashes.push(now)
    if (hashes.length > maxHashes) hashes.shift()
    return now
  }
  const next = (): void => {
    slot += 1
    svm.warpToSlot(BigInt(slot))
    svm.expireBlockhash()
    hashNow()
  }
  const address = (input: unknown): Address => {
    if (typeof input !== 'string' || fromBase58(input)?.length !== 32)
      throw new NodeError(-32_602, 'Invalid param: expected an address')
    return input as Address
  }
  const account = (input: unknown, config: unknown) => {
    const found = svm.getAccount(address(input))
    if (!found.exists || found.lamports === 0n) return null
    const { data } = found
    const inBase58 = (config as { encoding?: string } | undefined)?.encoding === 'base58'
    return {
      executable: found.executable,
      lamports: Number(found.lamports),
      owner: found.programAddress,
      rentEpoch: 0,
      space: data.length,
      data: inBase58 ? [toBase58(Uint8Array.from(data)), 'base58'] : [toBase64(Uint8Array.from(data)), 'base64'],
    }
  }
  const failure = (failed: InstanceType<typeof FailedTransactionMetadata>) => {
    const meta = failed.meta()
    return { err: reasonIn(failed.toString()), logs: meta.logs(), unitsConsumed: Number(meta.computeUnitsConsumed()) }
  }
  const decoded = (params: readonly unknown[]) => {
    const [text, config] = params
    const encoding = (config as { encoding?: string } | undefined)?.encoding ?? 'base58'
    const bytes = typeof text !== 'string' ? undefined : encoding === 'base64' ? fromBase64(text) : fromBase58(text)
    const read = bytes && readTransaction(bytes)
    if (!read) throw new NodeError(-32_602, 'Invalid param: expected a transaction')
    return read
  }
  const requireRecent = ({ blockhash }: { blockhash: string }): void => {
    if (hashes.includes(blockhash)) return
    throw new NodeError(-32_002, 'Transaction simulation failed: Blockhash not found', { err: 'BlockhashNotFound' })
  }
  hashNow()

  const methods: Node['methods'] = {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '3.0.0', 'feature-set': 1 }),
    getGenesisHash: () => genesis,
    getSlot: () => slot,
    getBlockHeight: () => slot,
    getLatestBlockhash: () => context({ blockhash: hashNow(), lastValidBlockHeight: slot + maxHashes }),
    isBlockhashValid: ([hash]) => context(hashes.includes(String(hash))),
    getBalance: ([input]) => context(Number(svm.getBalance(address(input)) ?? 0n)),
    getAccountInfo: ([input, config]) => context(account(input, config)),
    getMultipleAccounts: ([input, config]) =>
      context((Array.isArray(input) ? input : []).map((item) => account(item, config))),
    getMinimumBalanceForRentExemption: ([size]) => Number(svm.minimumBalanceForRentExemption(BigInt(Number(size)))),
    getFeeForMessage: ([text]) => {
      const bytes = typeof text === 'string' ? fromBase64(text) : undefined
      return context(bytes ? readMessage(bytes).signers.length * 5000 : null)
    },
    getRecentPrioritizationFees: () => [{ slot, prioritizationFee: 0 }],
    requestAirdrop: ([input, amount]) => {
      const done = svm.airdrop(address(input), BigInt(Number(amount)) as Lamports)
      if (!done || done instanceof FailedTransactionMetadata) throw new NodeError(-32_603, 'The airdrop failed')
      const signature = toBase58(Uint8Array.from(done.signature()))
      receipts.set(signature, { slot, err: null, blockTime: seconds() })
      next()
      return signature
    },
    sendTransaction: (params) => {
      const read = decoded(params)
      requireRecent(read)
      const done = svm.sendTransaction(read.transaction as unknown as Sent)
      if (done instanceof FailedTransactionMetadata) {
        const reason = failure(done)
        throw new NodeError(-32_002, `Transaction simulation failed: ${JSON.stringify(reason.err)}`, reason)
      }
      receipts.set(read.signature, { slot, err: null, blockTime: seconds() })
      next()
      return read.signature
    },
    simulateTransaction: (params) => {
      const done = svm.simulateTransaction(decoded(params).transaction as unknown as Sent)
      if (done instanceof FailedTransactionMetadata) return context({ ...failure(done), accounts: null })
      const meta = done.meta()
      const unitsConsumed = Number(meta.computeUnitsConsumed())
      return context({ err: null, logs: meta.logs(), unitsConsumed, accounts: null })
    },
    getSignatureStatuses: ([input]) =>
      context(
        (Array.isArray(input) ? input : []).map((signature) => {
          const found = receipts.get(String(signature))
          return found
            ? { slot: found.slot, err: found.err, confirmations: null, confirmationStatus: 'finalized' }
            : null
        }),
      ),
  }
  return { methods }
}

/** Splits a serialized transaction into its signatures and its message. */
function readTransaction(bytes: Uint8Array) {
  try {
    const [count, start] = shortNumber(bytes, 0)
    const messageBytes = bytes.slice(start + 64 * count)
    const { signers, blockhash } = readMessage(messageBytes)
    if (signers.length !== count) return undefined
    const signed = signers.map((signer, at) => {
      const signature = bytes.slice(start + 64 * at, start + 64 * (at + 1))
      return [signer, signature.some((byte) => byte !== 0) ? signature : null] as const
    })
    const signature = toBase58(bytes.slice(start, start + 64))
    return { transaction: { messageBytes, signatures: Object.fromEntries(signed) }, signature, blockhash }
  } catch {
    return undefined
  }
}

/** Returns the required signers and the blockhash of a message. Supports legacy and versioned messages. */
function readMessage(bytes: Uint8Array): { signers: readonly string[]; blockhash: string } {
  const header = (bytes[0] ?? 0) >= 128 ? 1 : 0
  const required = bytes[header] ?? 0
  const [count, start] = shortNumber(bytes, header + 3)
  const end = start + 32 * count
  if (required > count || end + 32 > bytes.length) throw new RangeError('The message ends too soon')
  const at = (index: number) => toBase58(bytes.slice(start + 32 * index, start + 32 * (index + 1)))
  return {
    signers: Array.from({ length: required }, (_, index) => at(index)),
    blockhash: toBase58(bytes.slice(end, end + 32)),
  }
}

/** Decodes a Solana compact-u16, which has seven bits per byte, least significant first. */
function shortNumber(bytes: Uint8Array, from: number): readonly [value: number, next: number] {
  let value = 0
  for (let at = 0; at < 3; at += 1) {
    const byte = bytes[from + at]
    if (byte === undefined) throw new RangeError('The message ends too soon')
    value |= (byte & 127) << (7 * at)
    if (byte < 128) return [value, from + at + 1]
  }
  throw new RangeError('The number is too long')
}

const seconds = (): number => Math.floor(Date.now() / 1000)

/** Converts the runtime's Rust debug output for a transaction error to the JSON format of the RPC API. */
function reasonIn(printed: string): unknown {
  const [, name = 'Unknown', index, inside = '', custom] =
    /err: (\w+)(?:\((\d+), (\w+)(?:\((\d+)\))?\))?/.exec(printed) ?? []
  if (index === undefined) return name
  return { [name]: [Number(index), custom === undefined ? inside : { [inside]: Number(custom) }] }
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > 1_000_000) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
