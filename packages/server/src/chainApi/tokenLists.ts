import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nativeTokenAddress } from '@latchkey/protocol/http/chainApi'
import { isWebLink } from '@latchkey/protocol/safeLinks'
import { sanitizeName } from '@latchkey/protocol/untrustedNames'
import * as v from 'valibot'
import { errorFields } from '../errors/errorLogFields.ts'
import { readLimitedText } from '../http/readLimitedBody.ts'
import type { Log } from '../serverDependencies.ts'
import type { ChainConfig, ListedToken } from './chainConfig.ts'
import type { ConfiguredChain } from './chainsFile.ts'

/** The maximum size of a token list, in bytes. */
const maxListBytes = 8_388_608
/** The time limit for downloading a token list, in milliseconds. */
const downloadMs = 20_000
/** How often remote token lists are downloaded, in milliseconds. */
const refreshMs = 86_400_000
/** The maximum number of tokens of a chain. Further tokens are ignored. */
export const maxListedTokens = 2_000

/** The chains of the server with the tokens on their lists. */
export interface Chains {
  /** The chains by CAIP-2 ID. A chain is replaced when one of its lists has been downloaded. */
  readonly chains: ReadonlyMap<string, ChainConfig>
  /** Downloads the remote lists, now and once a day. Does nothing if there are none. */
  start(): void
  /** Stops downloading. Resolves once no download is running. */
  stop(): Promise<void>
}

/** The tokens of one list, by CAIP-2 chain ID. */
type TokensByChain = ReadonlyMap<string, readonly ListedToken[]>

/**
 * Reads the token lists (https://tokenlists.org) of the configured chains. Remote lists are read from the copies in `folder`, which
 * are replaced after each successful download. Entries that are not valid are omitted.
 *
 * @throws {Error} if a local list cannot be read. The message contains the file.
 */
export async function readTokenLists({
  configured,
  packagedTokens,
  folder,
  fetch,
  log,
}: {
  configured: ReadonlyMap<string, ConfiguredChain>
  /** The path of the package's own list. */
  packagedTokens: string
  /** The folder for the copies of remote lists. Created when the first list has been downloaded. */
  folder: string
  fetch: typeof globalThis.fetch
  log: Log
}): Promise<Chains> {
  const ids = new Set(configured.keys())
  const names = [...new Set([...configured.values()].flatMap(({ tokenLists }) => tokenLists))]
  const remote = names.filter(isRemote)
  const lists = new Map<string, TokensByChain>()
  for (const name of names) {
    // A copy that cannot be read or parsed is treated as absent.
    const text = isRemote(name) ? await readFile(copyOf(name), 'utf8').catch(() => undefined) : await readList(name)
    const parsed = text === undefined ? undefined : parseTokenList(text, ids, await addressParser(name))
    if (parsed) lists.set(name, parsed)
    else if (!isRemote(name)) throw new Error(`${name} is not a token list: see https://tokenlists.org.`)
  }
  const chains = new Map<string, ChainConfig>()
  for (const id of ids) update(id)

  // A test checks the checksums of the package's own list, so that viem is only loaded for other lists.
  async function addressParser(name: string): Promise<ParseAddress> {
    return name === packagedTokens ? (address) => address : checksumParser()
  }

  function copyOf(url: string): string {
    return join(folder, `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.json`)
  }

  function update(id: string): void {
    const { tokenLists, ...chain } = configured.get(id) as ConfiguredChain
    const tokens = new Map<string, ListedToken>()
    for (const name of tokenLists)
      for (const token of lists.get(name)?.get(id) ?? [])
        if (!tokens.has(token.address) && tokens.size < maxListedTokens) tokens.set(token.address, token)
    chains.set(id, { ...chain, tokens: [...tokens.values()] })
  }

  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let downloading: Promise<void> = Promise.resolve()

  async function download(url: string): Promise<void> {
    // Redirects are not followed, because they could point anywhere in the operator's network.
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(downloadMs)])
    const response = await fetch(url, { redirect: 'error', signal, headers: { accept: 'application/json' } })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(`The server of the token list responded with ${response.status}`)
    }
    const text = await readLimitedText(response, maxListBytes)
    const parsed = text === undefined ? undefined : parseTokenList(text, ids, await addressParser(url))
    if (text === undefined || !parsed) throw new Error('The token list is too large or not valid')
    lists.set(url, parsed)
    for (const [id, { tokenLists }] of configured) if (tokenLists.includes(url)) update(id)
    await mkdir(folder, { recursive: true })
    const copy = copyOf(url)
    // A crash must not leave half a list behind.
    await writeFile(`${copy}.${process.pid}`, text)
    await rename(`${copy}.${process.pid}`, copy)
  }

  async function downloadAll(): Promise<void> {
    for (const url of remote) {
      if (stopping.signal.aborted) return
      await download(url).catch((error: unknown) => {
        if (stopping.signal.aborted) return
        const { host } = new URL(url)
        log('warn', 'a token list was not downloaded: the last good copy is used', { host, ...errorFields(error) })
      })
    }
  }

  return {
    chains,
    start() {
      if (remote.length === 0 || timer) return
      const run = (): void => {
        downloading = downloadAll()
      }
      timer = setInterval(run, refreshMs)
      timer.unref()
      run()
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await downloading
    },
  }
}

function isRemote(name: string): boolean {
  return /^https?:\/\//.test(name)
}

async function readList(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The token list ${file} cannot be read (${error.code}): check tokenLists in CHAINS_FILE.`, {
      cause: error,
    })
  })
  if (text.length > maxListBytes) throw new Error(`The token list ${file} is larger than ${maxListBytes} bytes.`)
  return text
}

/** Returns the address with its checksum, or `undefined` if the address has a wrong checksum. */
type ParseAddress = (address: string) => string | undefined

async function checksumParser(): Promise<ParseAddress> {
  const { checksumAddress, isAddress } = await import('viem')
  return (address) => (isAddress(address) ? checksumAddress(address) : undefined)
}

const tokenSchema = v.object({
  chainId: v.union([v.pipe(v.number(), v.integer(), v.minValue(1)), v.pipe(v.string(), v.startsWith('solana:'))]),
  address: v.pipe(v.string(), v.maxLength(64)),
  name: v.pipe(v.string(), v.maxLength(200)),
  symbol: v.pipe(v.string(), v.maxLength(100)),
  decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
  logoURI: v.fallback(v.optional(v.pipe(v.string(), v.maxLength(2048))), undefined),
  extensions: v.fallback(v.optional(v.object({ eip2612: v.fallback(v.optional(v.boolean()), undefined) })), undefined),
})

// Token lists identify Solana's clusters by numbers, as in the Solana token registry. Other chains that run Solana's runtime have no
// number, so lists identify them by their CAIP-2 IDs.
const solanaChains: ReadonlyMap<number | string, string> = new Map([
  [101, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  [102, 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z'],
  [103, 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
])

// Lists use this address for the native currency, which is not a token and has its own entry in responses.
const notTokens = new Set([nativeTokenAddress, '0x0000000000000000000000000000000000000000'])

/** Parses a token list. Returns the valid tokens of the given chains, or `undefined` if the text is not a token list. */
export function parseTokenList(
  text: string,
  ids: ReadonlySet<string>,
  parseAddress: ParseAddress,
): TokensByChain | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  const list = v.safeParse(v.object({ tokens: v.array(v.unknown()) }), json)
  if (!list.success) return undefined
  const tokens = new Map<string, ListedToken[]>()
  for (const item of list.output.tokens) {
    const parsed = v.safeParse(tokenSchema, item)
    if (!parsed.success) continue
    const { chainId, name, symbol, decimals, logoURI, extensions } = parsed.output
    const isEvm = /^0x[0-9a-fA-F]{40}$/.test(parsed.output.address)
    const id = isEvm ? `eip155:${chainId}` : (solanaChains.get(chainId) ?? String(chainId))
    // Further tokens would be ignored.
    if ((tokens.get(id)?.length ?? 0) >= maxListedTokens || notTokens.has(parsed.output.address.toLowerCase())) continue
    if (!ids.has(id) || !(isEvm || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(parsed.output.address))) continue
    const address = isEvm ? parseAddress(parsed.output.address) : parsed.output.address
    if (address === undefined) continue
    const shown = { name: sanitizeName(name, 100), symbol: sanitizeName(symbol) }
    if (shown.name === undefined || shown.symbol === undefined) continue
    const token: ListedToken = {
      address,
      name: shown.name,
      symbol: shown.symbol,
      decimals,
      ...(logoURI && isWebLink(logoURI) ? { logoUri: logoURI } : {}),
      ...(extensions?.eip2612 === undefined ? {} : { eip2612: extensions.eip2612 }),
    }
    const existing = tokens.get(id)
    if (existing) existing.push(token)
    else tokens.set(id, [token])
  }
  return tokens
}
