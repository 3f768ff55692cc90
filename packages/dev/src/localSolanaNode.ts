import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fromBase58, fromBase64, toBase58, toBase64 } from '@latchkey/protocol/bytes'
import type { LiteSVM } from 'litesvm'
import * as v from 'valibot'
import { addTestToken, type LocalSolanaToken, localSolanaToken } from './localSolanaToken.ts'
import { readMessage, readTransaction, type SolanaMessage } from './solanaTransaction.ts'
import {
  createSolanaTransactionHistory,
  type SolanaTransactionHistory,
  type StoredAccount,
  tokenPrograms,
} from './solanaTransactionHistory.ts'

/** A local Solana runtime with the part of the RPC API that wallets use. */
export interface LocalSolana {
  /** The CAIP-2 chain ID. */
  readonly chainId: `solana:${string}`
  readonly url: string
  /** The test token, which exists from the start. */
  readonly token: LocalSolanaToken
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
    token: localSolanaToken,
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
  const history = createSolanaTransactionHistory((of) => {
    const found = svm.getAccount(of as Address)
    return found.exists && found.lamports > 0n ? storedAccount(found) : undefined
  })
  addTestToken(svm)
  const faucet = richest(svm.getProgramAccounts(systemProgram as Address))

  const context = (value: unknown) => ({ context: { apiVersion: '3.0.0', slot }, value })
  const hashNow = (): string => {
    const now = svm.latestBlockhash() as string
    if (!hashes.includes(now)) hashes.push(now)
    if (hashes.length > maxHashes) hashes.shift()
    return now
  }
  /** Executes a transaction and, if it succeeds, adds it to the history. Otherwise, returns the failure. */
  const execute = (
    message: SolanaMessage,
    run: () => ReturnType<LiteSVM['airdrop']>,
  ): { signature: string } | InstanceType<typeof FailedTransactionMetadata> | null => {
    const before = history.balances(message)
    const done = run()
    if (!done || done instanceof FailedTransactionMetadata) return done
    const signature = toBase58(Uint8Array.from(done.signature()))
    history.add({
      signature,
      slot,
      blockTime: Math.floor(Date.now() / 1000),
      message,
      before,
      after: history.balances(message),
      logs: done.logs(),
      unitsConsumed: Number(done.computeUnitsConsumed()),
    })
    next()
    return { signature }
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
    getEpochInfo: () => ({ absoluteSlot: slot, blockHeight: slot, epoch: 0, slotIndex: slot, slotsInEpoch: 432_000 }),
    getFirstAvailableBlock: () => 0,
    getLatestBlockhash: () => context({ blockhash: hashNow(), lastValidBlockHeight: slot + maxHashes }),
    isBlockhashValid: ([hash]) => context(hashes.includes(String(hash))),
    getBalance: ([input]) => context(Number(svm.getBalance(address(input)) ?? 0n)),
    getAccountInfo: ([input, config]) => context(account(input, config)),
    getMultipleAccounts: ([input, config]) =>
      context((Array.isArray(input) ? input : []).map((item) => account(item, config))),
    getMinimumBalanceForRentExemption: ([size]) => Number(svm.minimumBalanceForRentExemption(BigInt(Number(size)))),
    getFeeForMessage: ([text]) => {
      const bytes = typeof text === 'string' ? fromBase64(text) : undefined
      return context(bytes ? readMessage(bytes).accounts.filter(({ isSigner }) => isSigner).length * 5000 : null)
    },
    getRecentPrioritizationFees: () => [{ slot, prioritizationFee: 0 }],
    requestAirdrop: ([input, amount]) => {
      const lamports = BigInt(Number(amount))
      const to = address(input)
      const done = execute(airdropMessage({ faucet, to, lamports, blockhash: hashNow() }), () =>
        svm.airdrop(to, lamports as Lamports),
      )
      if (!done || done instanceof FailedTransactionMetadata) throw new NodeError(-32_603, 'The airdrop failed')
      return done.signature
    },
    sendTransaction: (params) => {
      const { message, transaction } = decoded(params)
      requireRecent(message)
      const done = execute(message, () => svm.sendTransaction(transaction as unknown as Sent))
      if (!done) throw new NodeError(-32_603, 'The transaction was not executed')
      if (done instanceof FailedTransactionMetadata) {
        const reason = failure(done)
        throw new NodeError(-32_002, `Transaction simulation failed: ${JSON.stringify(reason.err)}`, reason)
      }
      return done.signature
    },
    simulateTransaction: (params) => {
      const done = svm.simulateTransaction(decoded(params).transaction as unknown as Sent)
      if (done instanceof FailedTransactionMetadata) return context({ ...failure(done), accounts: null })
      const meta = done.meta()
      const unitsConsumed = Number(meta.computeUnitsConsumed())
      return context({ err: null, logs: meta.logs(), unitsConsumed, accounts: null })
    },
    ...historyMethods({ history, context, address }),
    getTokenAccountsByOwner: ([input, filter, config]) => {
      const owner = address(input)
      const { mint, programId } = parameter(
        v.object({ mint: v.optional(v.string()), programId: v.optional(v.string()) }),
        filter,
      )
      if ((mint === undefined) === (programId === undefined))
        throw new NodeError(-32_602, 'Invalid param: expected a mint or a program')
      const found = tokenPrograms
        .filter((program) => programId === undefined || program === programId)
        .flatMap((program) => svm.getProgramAccounts(program as Address))
        .flatMap(({ address: pubkey, ...stored }) => {
          const held = history.holding(storedAccount(stored))
          const isWanted = held?.owner === owner && (mint === undefined || held.mint === mint)
          return isWanted ? [{ pubkey, account: tokenAccount(account(pubkey, config), held, config) }] : []
        })
      return context(found)
    },
  }
  return { methods }
}

function decoded(params: readonly unknown[]): NonNullable<ReturnType<typeof readTransaction>> {
  const [text, config] = params
  const encoding = (config as { encoding?: string } | undefined)?.encoding ?? 'base58'
  const bytes = typeof text !== 'string' ? undefined : encoding === 'base64' ? fromBase64(text) : fromBase58(text)
  const read = bytes && readTransaction(bytes)
  if (!read) throw new NodeError(-32_602, 'Invalid param: expected a transaction')
  return read
}

type Methods = Node['methods']

const signatureFilter = v.optional(
  v.object({
    limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000))),
    before: v.optional(v.string()),
    until: v.optional(v.string()),
  }),
)

/** Returns the methods that read the history. */
function historyMethods({
  history,
  context,
  address,
}: {
  history: SolanaTransactionHistory
  context: (value: unknown) => object
  address: (input: unknown) => string
}): Methods {
  return {
    getSignaturesForAddress: ([input, filter]) =>
      history.signatures(address(input), parameter(signatureFilter, filter) ?? {}),
    getTransaction: ([signature, config]) => {
      const encoding = typeof config === 'string' ? config : parameter(encodingConfig, config)?.encoding
      if (encoding !== 'jsonParsed')
        throw new NodeError(-32_602, 'The local node only supports the encoding jsonParsed for transactions')
      return history.transaction(String(signature))
    },
    getSignatureStatuses: ([input]) =>
      context(
        (Array.isArray(input) ? input : []).map((signature) => {
          const slot = history.slot(String(signature))
          return slot === undefined ? null : { slot, err: null, confirmations: null, confirmationStatus: 'finalized' }
        }),
      ),
  }
}

const encodingConfig = v.optional(v.object({ encoding: v.optional(v.string()) }))

function parameter<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown): Output {
  const parsed = v.safeParse(schema, value ?? undefined)
  if (!parsed.success) throw new NodeError(-32_602, `Invalid param: ${v.summarize(parsed.issues)}`)
  return parsed.output
}

/** Returns a token account with its data in the requested encoding. */
function tokenAccount(found: object | null, holding: object, config: unknown): object {
  const { encoding, dataSlice } = parameter(
    v.optional(v.object({ encoding: v.optional(v.string()), dataSlice: v.optional(v.unknown()) }), {}),
    config,
  )
  if (encoding === 'jsonParsed')
    return { ...found, data: { program: 'spl-token', space: 165, parsed: { type: 'account', info: holding } } }
  // Only empty slices are supported. Clients request them to read only the addresses.
  return dataSlice === undefined ? { ...found } : { ...found, data: ['', 'base64'] }
}

function storedAccount({
  lamports,
  programAddress,
  data,
}: {
  lamports: bigint
  programAddress: string
  data: ArrayLike<number>
}): StoredAccount {
  return { lamports, owner: programAddress, data: Uint8Array.from(data) }
}

const systemProgram = '11111111111111111111111111111111'

/** Returns the address of the account with the largest balance, which is the faucet of a new runtime. */
function richest(accounts: readonly { readonly address: string; readonly lamports: bigint }[]): string {
  const [first] = accounts.toSorted((a, b) => (a.lamports > b.lamports ? -1 : 1))
  if (!first) throw new Error('The Solana runtime has no faucet.')
  return first.address
}

/** Returns the message of the transfer that the runtime executes for an airdrop. */
function airdropMessage({
  faucet,
  to,
  lamports,
  blockhash,
}: {
  faucet: string
  to: string
  lamports: bigint
  blockhash: string
}): SolanaMessage {
  const data = new Uint8Array(12)
  new DataView(data.buffer).setUint32(0, 2, true)
  new DataView(data.buffer).setBigUint64(4, lamports, true)
  return {
    accounts: [
      { address: faucet, isSigner: true, isWritable: true },
      { address: to, isSigner: false, isWritable: true },
      { address: systemProgram, isSigner: false, isWritable: false },
    ],
    blockhash,
    instructions: [{ program: systemProgram, accounts: [faucet, to], data }],
  }
}

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
