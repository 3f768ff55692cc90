import { sanitizeName } from '@latchkey/protocol/untrustedNames'
import type { Clock } from '../../serverDependencies.ts'
import type { ChainConfig } from '../chainConfig.ts'
import { type CallNode, unavailable } from '../nodeBatch.ts'
import { isNodeBusy, isRevert, NodeCallError } from '../nodeClient.ts'
import type { TokenInfo } from './evmTransaction.ts'

/** Reads the names, symbols and decimals of tokens. */
export interface TokenInfoReader {
  /**
   * Resolves to the token details, by address in lower case. Tokens that are not on the chain's lists are read from their
   * contracts.
   */
  read(
    chain: ChainConfig,
    addresses: readonly `0x${string}`[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, TokenInfo>>
}

/** The maximum number of contracts that are read for one page. Further tokens have no name. */
const maxContracts = 60
const keepMs = 3_600_000
const maxKept = 5_000
/** The gas for each call. Limits the load on the node if a contract never returns. */
const callGas = '0x30d40'
/** The maximum length of the data that a contract returns, in hex characters. Names are short. */
const maxReturned = 2_000

// name(), symbol(), decimals()
const selectors = ['0x06fdde03', '0x95d89b41', '0x313ce567']

/** Creates the reader for token details, which caches up to 5,000 contracts for an hour. */
export function createTokenInfoReader({ callNode, clock }: { callNode: CallNode; clock: Clock }): TokenInfoReader {
  const kept = new Map<string, { info: TokenInfo; until: number }>()
  const listed = new WeakMap<ChainConfig['tokens'], ReadonlyMap<string, TokenInfo>>()

  function listOf({ tokens }: ChainConfig): ReadonlyMap<string, TokenInfo> {
    const known = listed.get(tokens)
    if (known) return known
    const list = new Map(
      tokens.map(({ address, name, symbol, decimals, logoUri }) => [
        address.toLowerCase(),
        { name, symbol, decimals, logoUri, isListed: true },
      ]),
    )
    listed.set(tokens, list)
    return list
  }

  async function readContracts(
    { chainId }: ChainConfig,
    addresses: readonly `0x${string}`[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, TokenInfo>> {
    const calls = addresses.flatMap((to) =>
      selectors.map((data) => ({ method: 'eth_call', params: [{ to, data, gas: callGas }, 'latest'] })),
    )
    const answers = await callNode(chainId, calls, signal)
    const found = new Map<string, TokenInfo>()
    for (const [at, address] of addresses.entries()) {
      const own = answers.slice(at * 3, at * 3 + 3)
      const [name, symbol, decimals] = own.map(returned)
      const info = {
        name: unlistedName(textIn(name), 100),
        symbol: unlistedName(textIn(symbol), 40),
        decimals: decimalsIn(decimals),
        isListed: false,
      }
      found.set(address, info)
      // If the node rejected a call for an unknown reason, the next request reads the contract again.
      if (own.some((answer) => answer instanceof NodeCallError && !isRevert(answer))) continue
      const key = `${chainId}:${address}`
      kept.delete(key)
      kept.set(key, { info, until: clock() + keepMs })
      const [oldest] = kept.keys()
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    }
    return found
  }

  return {
    async read(chain, addresses, signal) {
      const found = new Map<string, TokenInfo>()
      const missing: `0x${string}`[] = []
      for (const address of new Set(addresses)) {
        const remembered = kept.get(`${chain.chainId}:${address}`)
        const info =
          listOf(chain).get(address) ?? (remembered && remembered.until > clock() ? remembered.info : undefined)
        if (info) found.set(address, info)
        else missing.push(address)
      }
      const read = await readContracts(chain, missing.slice(0, maxContracts), signal)
      return new Map([...found, ...read])
    },
  }
}

/** Throws if the node did not execute the call. Otherwise, a token with 18 decimals would be displayed with none. */
function returned(answer: unknown): string {
  if (answer instanceof NodeCallError && !isNodeBusy(answer)) return ''
  if (typeof answer !== 'string') throw unavailable()
  return /^0x([0-9a-f]{2})*$/i.test(answer.slice(0, maxReturned)) ? answer.slice(2, maxReturned) : ''
}

/** Decodes a returned string. Some old contracts return 32 bytes instead, padded with zeros. */
function textIn(data: string | undefined): string | undefined {
  if (!data) return undefined
  const bytes = Buffer.from(data, 'hex')
  if (bytes.length === 32) return bytes.toString('utf8').replaceAll('\0', '')
  const offset = wordAt(bytes, 0)
  const length = offset === undefined ? undefined : wordAt(bytes, offset)
  if (offset === undefined || length === undefined) return undefined
  return bytes.subarray(offset + 32, offset + 32 + length).toString('utf8')
}

function wordAt(bytes: Buffer, at: number): number | undefined {
  if (at + 32 > bytes.length) return undefined
  const word = BigInt(`0x${bytes.subarray(at, at + 32).toString('hex')}`)
  return word <= 100_000n ? Number(word) : undefined
}

/** Amounts are written with up to 77 decimal places. A contract that claims to have more is shown in base units. */
function decimalsIn(data: string | undefined): number {
  if (!data || data.length < 64) return 0
  const decimals = BigInt(`0x${data.slice(0, 64)}`)
  return decimals <= 77n ? Number(decimals) : 0
}

/** Returns the name of an unlisted contract, without links, control characters and bidirectional marks. */
function unlistedName(name: string | undefined, max: number): string | undefined {
  return sanitizeName(name?.replace(/https?:\/\/\S*|\b[\w-]+(\.[\w-]+)*\.[a-z]{2,}(\/\S*)?/gi, ''), max)
}
