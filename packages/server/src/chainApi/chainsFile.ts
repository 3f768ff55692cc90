import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { isWebLink } from '@latchkey/protocol/safeLinks'
import * as v from 'valibot'
import type { ChainConfig, ExchangeConfig } from './chainConfig.ts'

/** A configured chain, whose token lists have not been read yet. */
export interface ConfiguredChain extends Omit<ChainConfig, 'tokens'> {
  /** The token lists, in order of preference: paths of local files, or https URLs. */
  readonly tokenLists: readonly string[]
}

const evmAddress = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits'),
  v.transform((address) => address as `0x${string}`),
)
const label = (max: number) => v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'), v.maxLength(max))
const nodeUrl = v.pipe(
  v.string(),
  v.check((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), 'must be an http or https URL'),
)
const webUrl = v.pipe(v.string(), v.check(isWebLink, 'must be an https URL'))

const exchangeSchema: v.GenericSchema<unknown, ExchangeConfig> = v.strictObject({
  factory: evmAddress,
  quoter: evmAddress,
  router: evmAddress,
  wrappedNative: evmAddress,
  stablecoins: v.optional(v.pipe(v.array(evmAddress), v.maxLength(8)), []),
  feeTiers: v.optional(
    v.pipe(
      v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999))),
      v.minLength(1),
      v.maxLength(8),
    ),
    [100, 500, 3000, 10_000],
  ),
  // The router accepts fees of up to 1%.
  fee: v.optional(
    v.strictObject({ bps: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), recipient: evmAddress }),
  ),
})

// `null` removes a default of the package.
const chainSchema = v.strictObject({
  comment: v.optional(v.string()),
  name: v.optional(label(64)),
  nativeCurrency: v.optional(
    v.strictObject({
      name: label(64),
      symbol: label(16),
      decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
    }),
  ),
  testnet: v.optional(v.boolean()),
  rpcUrls: v.optional(v.pipe(v.array(nodeUrl), v.maxLength(20))),
  tokenLists: v.optional(v.pipe(v.array(label(2048)), v.maxLength(20))),
  multicall3: v.nullish(evmAddress),
  exchange: v.nullish(exchangeSchema),
  ens: v.nullish(v.strictObject({ universalResolver: evmAddress })),
  history: v.nullish(v.strictObject({ url: webUrl })),
})

type ChainEntry = v.InferOutput<typeof chainSchema>

/** The name of the package's own token list in `tokenLists`. */
const packageList = 'default'
/** The maximum size of the file, in bytes. */
const maxFileBytes = 1_048_576

/**
 * Reads the server's chains: those with a node in `RPC_URLS`, and those in the operator's file (`CHAINS_FILE`). The operator's
 * file takes precedence over the package's. The nodes in the file come before those in `RPC_URLS`.
 *
 * @throws {Error} if a file cannot be read or is invalid. The message contains the file and the field.
 */
export async function readChains({
  file,
  rpcUrls,
  packaged,
}: {
  /** The operator's file. `undefined` if there is none. */
  file: string | undefined
  rpcUrls: ReadonlyMap<string, readonly string[]>
  /** The package's `chains.json` and `tokens.json`. */
  packaged: { readonly chains: string; readonly tokens: string }
}): Promise<ReadonlyMap<string, ConfiguredChain>> {
  if (file === undefined && rpcUrls.size === 0) return new Map()
  const own = file === undefined ? new Map<string, ChainEntry>() : await readEntries(file)
  const defaults = await readEntries(packaged.chains)
  const chains = new Map<string, ConfiguredChain>()
  for (const chainId of new Set([...rpcUrls.keys(), ...own.keys()])) {
    const entry = own.get(chainId) ?? {}
    const preset = defaults.get(chainId) ?? {}
    const urls = [...new Set([...(entry.rpcUrls ?? []), ...(rpcUrls.get(chainId) ?? [])])]
    if (urls.length === 0)
      throw new Error(`${file} is not a valid chains file: ${chainId}: rpcUrls must name a node, or RPC_URLS must`)
    const { tokenLists = [packageList] } = entry
    const field = <Key extends 'multicall3' | 'exchange' | 'ens' | 'history'>(key: Key) =>
      entry[key] === undefined ? preset[key] : entry[key]
    chains.set(chainId, {
      chainId,
      name: entry.name ?? preset.name ?? chainId,
      nativeCurrency: entry.nativeCurrency ?? preset.nativeCurrency ?? unknownCurrency(chainId),
      testnet: entry.testnet ?? preset.testnet ?? false,
      rpcUrls: urls,
      tokenLists: tokenLists.map((list) => {
        if (list === packageList) return packaged.tokens
        return /^https?:/.test(list) || isAbsolute(list) ? list : join(dirname(file ?? ''), list)
      }),
      multicall3: field('multicall3') ?? undefined,
      exchange: field('exchange') ?? undefined,
      ens: field('ens') ?? undefined,
      history: field('history') ?? undefined,
    })
  }
  return chains
}

/** The currency of a chain for which only nodes are configured. */
const unknownCurrency = (chainId: string): ChainConfig['nativeCurrency'] =>
  // The base unit is the lamport on all Solana clusters.
  chainId.startsWith('solana:')
    ? { name: 'Solana', symbol: 'SOL', decimals: 9 }
    : { name: 'Native currency', symbol: 'NATIVE', decimals: 18 }

async function readEntries(file: string): Promise<ReadonlyMap<string, ChainEntry>> {
  const json = await readJsonFile(file)
  const invalid = (reason: string): Error => new Error(`${file} is not a valid chains file: ${reason}`)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw invalid('it must be an object with a field for each chain, such as "eip155:1"')
  const entries = new Map<string, ChainEntry>()
  for (const [chainId, value] of Object.entries(json)) {
    if (chainId === 'comment') continue
    if (!/^(eip155:\d{1,32}|(?!eip155:)[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32})$/.test(chainId))
      throw invalid(`${chainId} is not a CAIP-2 chain ID, such as eip155:1`)
    const parsed = v.safeParse(chainSchema, value)
    if (!parsed.success) {
      const issue = parsed.issues[0]
      const path = v.getDotPath(issue)
      throw invalid(`${[chainId, path].filter(Boolean).join(': ')} ${messageOf(issue)}`)
    }
    if (!chainId.startsWith('eip155:')) {
      const { multicall3, exchange, ens } = parsed.output
      for (const [field, set] of Object.entries({ multicall3, exchange, ens }))
        if (set) throw invalid(`${chainId}: ${field} is only supported on eip155 chains`)
    }
    for (const list of parsed.output.tokenLists ?? [])
      if (/^\w+:\/\//.test(list) && !isWebLink(list))
        throw invalid(`${chainId}: tokenLists must be paths or https URLs, and ${list} is not`)
    entries.set(chainId, parsed.output)
  }
  return entries
}

function messageOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'validation') return issue.message
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'is not a known field'
  return `is invalid: expected ${issue.expected ?? 'another value'}, received ${issue.received}`
}

async function readJsonFile(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The chains file ${file} cannot be read (${error.code}): check CHAINS_FILE.`, { cause: error })
  })
  if (text.length > maxFileBytes) throw new Error(`The chains file ${file} is larger than ${maxFileBytes} bytes.`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The chains file ${file} is not valid JSON: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    })
  }
}
