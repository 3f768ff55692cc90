import { fromBase64, fromHex, toUtf8 } from '@latchkey/protocol/bytes'
import { read } from '@latchkey/protocol/parseWithSchema'
import { type SessionRequest as AskedOver, grantedChains, type Reason, type Session } from '@latchkey/walletconnect'
import * as v from 'valibot'
import { isAddress, type TypedDataDefinition } from 'viem'
import type { ApprovalRequest, EvmTransaction, SolanaTransaction } from './approvalRequest.ts'
import { addressOn } from './grantNamespaces.ts'
import type { Account } from './keys.ts'
import type { Network } from './networks.ts'
import { fromBase58, readSolanaMessage, readSolanaTransaction } from './solanaMessage.ts'

const codes = { unauthorized: 4100, unsupported: 4200, unknownNetwork: 4902, params: -32602 } as const

/** The result of parsing a request. */
export type ParsedRequest =
  /** A request that requires the user's approval. */
  | ApprovalRequest
  /** A request that is answered without prompting the user. */
  | { readonly type: 'answer'; readonly result: unknown }
  /** A request that is rejected. The page receives `error`, and the user sees `because`. */
  | {
      readonly type: 'refuse'
      readonly error: { readonly code: number; readonly message: string }
      readonly because: string
    }

/** Parses and validates an untrusted request from a page. */
export function parseRequest(
  { chainId, request: { method, params } }: AskedOver,
  around: { session: Session; accounts: readonly Account[]; networks: readonly Network[] },
): ParsedRequest {
  const { session, accounts, networks } = around
  const network = networks.find(({ id }) => id === chainId)
  if (!network) return reject(codes.unknownNetwork, `${chainId} is not supported by this wallet.`)
  const granted = Object.values(session.namespaces).flatMap((namespace) => namespace.accounts)
  const on = granted.filter((id) => id.startsWith(`${chainId}:`)).map((id) => id.slice(chainId.length + 1))
  const holder = (address: string | undefined): Account | ParsedRequest => {
    const named = address ?? on[0]
    const same = (candidate: string): boolean => candidate.toLowerCase() === named?.toLowerCase()
    const account = on.some(same) ? accounts.find((candidate) => same(addressOn(candidate, chainId))) : undefined
    return (
      account ??
      reject(codes.unauthorized, `The page requested ${named ?? 'an account'}, which it has no access to here.`)
    )
  }
  const on_ = { network, holder }
  switch (method) {
    case 'eth_accounts':
    case 'eth_requestAccounts':
      return { type: 'answer', result: on }
    case 'solana_getAccounts':
    case 'solana_requestAccounts':
      return { type: 'answer', result: on.map((pubkey) => ({ pubkey })) }
    case 'wallet_getCapabilities':
      return { type: 'answer', result: capabilities(session, params) }
    case 'personal_sign':
      return personalSign(params, on_)
    case 'eth_signTypedData':
    case 'eth_signTypedData_v4':
      return typedData(params, on_)
    case 'eth_sendTransaction':
      return transaction(params, on_, 'sendTransaction')
    case 'eth_signTransaction':
      return transaction(params, on_, 'signTransaction')
    case 'wallet_switchEthereumChain':
    case 'wallet_addEthereumChain':
      return switchNetwork(params, on_, networks, method)
    case 'solana_signMessage':
      return solanaMessage(params, on_)
    case 'solana_signTransaction':
      return solanaTransactions(params, on_, 'one')
    case 'solana_signAndSendTransaction':
      return solanaTransactions(params, on_, 'send')
    case 'solana_signAllTransactions':
      return solanaTransactions(params, on_, 'all')
    default:
      return reject(codes.unsupported, `${method} is not supported by this wallet.`)
  }
}

/** Returns the result for a request that is rejected without prompting the user. */
function reject(code: number, because: string): ParsedRequest {
  const error: Reason = { code, message: because }
  return { type: 'refuse', error, because }
}

const unreadable = (what: string): ParsedRequest => reject(codes.params, `${what} is not valid.`)

interface MethodContext {
  readonly network: Network
  holder(address: string | undefined): Account | ParsedRequest
}

function isParsedRequest(found: Account | ParsedRequest): found is ParsedRequest {
  return 'type' in found
}

// --- EVM

const hexText = v.custom<`0x${string}`>((value) => typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value))
const address = v.custom<`0x${string}`>((value) => typeof value === 'string' && isAddress(value, { strict: false }))
const quantity = v.pipe(
  v.union([
    v.pipe(v.string(), v.regex(/^(0x[0-9a-f]{1,64}|\d{1,78})$/i)),
    v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  ]),
  v.transform((value) => BigInt(value)),
)

function personalSign(params: unknown, { network, holder }: MethodContext): ParsedRequest {
  const received = read(v.tuple([v.pipe(v.string(), v.maxLength(200_000)), v.string()]), pair(params))
  if (!received) return unreadable('The message')
  // The standard order is the message, then the account. Some pages swap the two.
  const [message, who] = isAddress(received[1], { strict: false }) ? received : [received[1], received[0]]
  const account = holder(who)
  if (isParsedRequest(account)) return account
  return { type: 'signText', account, network, bytes: fromHex(message) ?? toUtf8(message) }
}

const typedSchema = v.object({
  types: v.record(v.string(), v.array(v.object({ name: v.string(), type: v.string() }))),
  primaryType: v.string(),
  domain: v.optional(v.record(v.string(), v.unknown()), {}),
  message: v.record(v.string(), v.unknown()),
})

function typedData(params: unknown, { network, holder }: MethodContext): ParsedRequest {
  const received = read(v.tuple([v.string(), v.union([v.string(), v.record(v.string(), v.unknown())])]), pair(params))
  const typed = received && read(typedSchema, typeof received[1] === 'string' ? parseJson(received[1]) : received[1])
  if (!received || !typed || !Object.hasOwn(typed.types, typed.primaryType)) return unreadable('The structured data')
  const account = holder(received[0])
  if (isParsedRequest(account)) return account
  const { chainId } = typed.domain
  const own = network.id.slice('eip155:'.length)
  if (chainId !== undefined && !sameNumber(chainId, own))
    return reject(
      codes.params,
      `The data is for chain ${String(chainId).slice(0, 40)}, but was requested on ${network.name}.`,
    )
  return { type: 'signTyped', account, network, typed: typed as unknown as TypedDataDefinition }
}

const transactionSchema = v.object({
  from: v.optional(address),
  to: v.nullish(address),
  value: v.optional(quantity),
  data: v.optional(hexText),
  input: v.optional(hexText),
  nonce: v.optional(quantity),
  gas: v.optional(quantity),
  gasLimit: v.optional(quantity),
  gasPrice: v.optional(quantity),
  maxFeePerGas: v.optional(quantity),
  maxPriorityFeePerGas: v.optional(quantity),
  chainId: v.optional(quantity),
})

function transaction(
  params: unknown,
  { network, holder }: MethodContext,
  way: 'sendTransaction' | 'signTransaction',
): ParsedRequest {
  const received = read(v.looseTuple([transactionSchema]), params)?.[0]
  if (!received) return unreadable('The transaction')
  const { from, to, value, nonce, gasPrice, maxFeePerGas, maxPriorityFeePerGas, chainId } = received
  const [data, gas] = [received.data ?? received.input, received.gas ?? received.gasLimit]
  if (chainId !== undefined && `eip155:${chainId}` !== network.id)
    return reject(codes.params, `The transaction is for chain ${chainId}, but was requested on ${network.name}.`)
  const account = holder(from)
  if (isParsedRequest(account)) return account
  const transaction: EvmTransaction = {
    to: to ?? undefined,
    value,
    data,
    nonce: nonce === undefined ? undefined : Number(nonce),
    gas,
    ...(maxFeePerGas === undefined ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas }),
  }
  return { type: way, account, network, transaction }
}

const switchSchema = v.looseTuple([v.object({ chainId: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,14}$/i)) })])

function switchNetwork(
  params: unknown,
  { network, holder }: MethodContext,
  networks: readonly Network[],
  method: string,
): ParsedRequest {
  const received = read(switchSchema, params)
  if (!received) return unreadable('The network')
  const id = `eip155:${Number(received[0].chainId)}`
  const to = networks.find((candidate) => candidate.id === id)
  if (!to)
    return method === 'wallet_addEthereumChain'
      ? reject(codes.unsupported, `This wallet does not support ${id}, and networks cannot be added.`)
      : reject(codes.unknownNetwork, `${id} is not supported by this wallet.`)
  const account = holder(undefined)
  return isParsedRequest(account) ? account : { type: 'switchNetwork', account, network, to }
}

/** Returns the wallet's EIP-5792 capabilities. The wallet does not support atomic batches on any chain. */
function capabilities(session: Session, params: unknown): Readonly<Record<string, unknown>> {
  const chainIds = read(v.looseTuple([v.unknown(), v.array(v.string())]), params)?.[1].map((id) => id.toLowerCase())
  const own = grantedChains(session.namespaces)
    .filter((id) => id.startsWith('eip155:'))
    .map((id) => `0x${Number(id.slice('eip155:'.length)).toString(16)}`)
  return Object.fromEntries(
    own.filter((id) => !chainIds || chainIds.includes(id)).map((id) => [id, { atomic: { status: 'unsupported' } }]),
  )
}

// --- Solana

const textBase58 = v.pipe(v.string(), v.minLength(1), v.maxLength(20_000))
const messageSchema = v.object({ message: textBase58, pubkey: v.optional(v.string()) })

function solanaMessage(params: unknown, { network, holder }: MethodContext): ParsedRequest {
  const received = read(messageSchema, params)
  const bytes = received && fromBase58(received.message)
  if (!received || !bytes) return unreadable('The message')
  // If the "message" is a transaction, its signature could be used to send the transaction.
  if (readSolanaMessage(bytes)) return reject(codes.params, 'The message is actually a transaction.')
  const account = holder(received.pubkey)
  return isParsedRequest(account) ? account : { type: 'signText', account, network, bytes }
}

const options = v.optional(v.record(v.string(), v.unknown()))
const solanaSchema = v.object({
  transaction: v.optional(textBase58),
  transactions: v.optional(v.pipe(v.array(textBase58), v.minLength(1), v.maxLength(50))),
  pubkey: v.optional(v.string()),
  sendOptions: options,
  options,
})

function solanaTransactions(
  params: unknown,
  { network, holder }: MethodContext,
  response: 'one' | 'all' | 'send',
): ParsedRequest {
  const received = read(solanaSchema, params)
  const texts = response === 'all' ? received?.transactions : received?.transaction && [received.transaction]
  if (!received || !texts) return unreadable('The transaction')
  const found = texts.map(decoded)
  const [first] = found
  if (!first || found.some((item) => item?.encoding !== first.encoding)) return unreadable('The transaction')
  const account = holder(received.pubkey)
  if (isParsedRequest(account)) return account
  const transactions = found.map((item) => (item as Decoded).transaction)
  if (transactions.some(({ message }) => !message.signers.includes(account.solana.address)))
    return reject(codes.unauthorized, 'The transaction does not need a signature of this account.')
  const { encoding } = first
  const sendOptions = received.sendOptions ?? received.options
  return { type: 'signSolana', account, network, transactions, encoding, response, sendOptions }
}

interface Decoded {
  readonly encoding: 'base64' | 'base58'
  readonly transaction: SolanaTransaction
}

/** Decodes a Solana transaction. The specification requires base64, but older pages send base58. */
function decoded(text: string): Decoded | undefined {
  for (const encoding of ['base64', 'base58'] as const) {
    const bytes = encoding === 'base64' ? fromBase64(text) : fromBase58(text)
    const message = bytes && readSolanaTransaction(bytes)
    if (message) return { encoding, transaction: { bytes, message } }
  }
  return undefined
}

// --- Reading

function pair(params: unknown): unknown {
  return Array.isArray(params) ? params.slice(0, 2) : params
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function sameNumber(received: unknown, own: string): boolean {
  try {
    return BigInt(received as string | number | bigint) === BigInt(own)
  } catch {
    return false
  }
}
