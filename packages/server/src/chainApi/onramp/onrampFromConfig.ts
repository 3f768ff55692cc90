import type { HistoryAnswer, OnrampProviderName } from '@latchkey/protocol/http/chainApi'
import * as v from 'valibot'
import type { OnrampConfig } from '../../config/onrampConfig.ts'
import { HttpError } from '../../errors/httpError.ts'
import type { Clock } from '../../serverDependencies.ts'
import type { Onramp } from '../chainApiTypes.ts'
import { createReadCache } from '../readCache.ts'
import { createCoinbase } from './coinbase.ts'
import { createMeld } from './meld.ts'
import type { OnrampProvider } from './onrampProvider.ts'

/** Creates the configured providers. The first one is used if a request does not specify a provider. */
export function onrampFromConfig({
  config: { coinbase, meld, country, subdivision },
  fetch,
  clock,
  now,
}: {
  config: OnrampConfig
  fetch: typeof globalThis.fetch
  clock: Clock
  /** Epoch milliseconds. */
  now: () => number
}): Onramp {
  const shared = { country, subdivision, reads: createReadCache({ clock }), fetch }
  return createOnramp(
    new Map<OnrampProviderName, OnrampProvider>([
      ...(coinbase ? [['coinbase', createCoinbase({ ...shared, config: coinbase, now })] as const] : []),
      ...(meld ? [['meld', createMeld({ ...shared, config: meld })] as const] : []),
    ]),
  )
}

/** Combines the providers. The purchases from all providers are listed together, page by page. */
export function createOnramp(services: ReadonlyMap<OnrampProviderName, OnrampProvider>): Onramp {
  const providers = [...services.keys()].map((name) => ({ name }))
  const serviceOf = (name: string | undefined): OnrampProvider => {
    const found = name === undefined ? [...services.values()][0] : services.get(name as OnrampProviderName)
    if (!found) throw new HttpError(400, 'provider', 'This server does not have this provider')
    return found
  }
  return {
    async options({ provider, signal }) {
      return { ...(await serviceOf(provider).options(signal)), providers }
    },
    quote: async (body, request) => serviceOf(request.provider).quote(body, request),
    url: async (body, request) => serviceOf(request.provider).url(body, request),
    async purchases(address, cursor, signal) {
      const cursors = cursor === undefined ? undefined : readCursor(cursor)
      const pending = [...services].filter(([name]) => cursors === undefined || cursors[name] !== undefined)
      const pages = await Promise.allSettled(
        pending.map(([name, service]) => service.purchases(address, cursors?.[name], signal)),
      )
      const found = pages.flatMap((page) => (page.status === 'fulfilled' ? [page.value] : []))
      const failed = pages.find((page) => page.status === 'rejected')
      if (failed && found.length === 0) throw failed.reason
      const next = Object.fromEntries(
        pages.flatMap((page, at) => {
          const name = pending[at]?.[0]
          return page.status === 'fulfilled' && page.value.next !== null && name ? [[name, page.value.next]] : []
        }),
      )
      const answer: HistoryAnswer = {
        data: found.flatMap(({ data }) => data).sort((a, b) => timeOf(b) - timeOf(a)),
        next: Object.keys(next).length === 0 ? null : writeCursor(next),
      }
      return failed ? { ...answer, isPartial: true } : answer
    },
  }
}

const timeOf = ({ metadata }: HistoryAnswer['data'][number]): number => Date.parse(metadata.minedAt)

const cursorSchema = v.pipe(
  v.string(),
  v.maxLength(2_048),
  v.transform((text) => Buffer.from(text, 'base64url').toString()),
  v.parseJson(),
  v.strictObject({ coinbase: v.optional(v.string()), meld: v.optional(v.string()) }),
)

function readCursor(cursor: string): { readonly [Name in OnrampProviderName]?: string | undefined } {
  const parsed = v.safeParse(cursorSchema, cursor)
  if (!parsed.success) throw new HttpError(400, 'cursor', 'The cursor is not from this server')
  return parsed.output
}

const writeCursor = (cursors: Readonly<Record<string, string>>): string =>
  Buffer.from(JSON.stringify(cursors)).toString('base64url')
