import { type ConnectorGroup, type DirectoryState, discoveredWallets } from '@latchkey/core'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { debounceMs } from '@latchkey/protocol/specificationConstants'
import {
  Button,
  Icon,
  IconButton,
  LiveRegion,
  moreIcons,
  Notice,
  Screen,
  Skeleton,
  Stack,
  Text,
  TextField,
  Tile,
  useStyleSheet,
  VirtualList,
  WalletLogo,
} from '@latchkey/ui'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { isInstalled } from '../isInstalled.ts'
import { isMobile } from '../isMobile.ts'
import { ConsentBox, useConsent } from '../LegalConsent.tsx'
import { translateError } from '../translateError.ts'
import { useDebouncedValue } from '../useClock.ts'
import { hasDirectory, useDirectory, useWalletImage } from '../useDirectory.ts'
import { useOnline } from '../useOnline.ts'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import type { ViewTranslator } from '../viewTranslator.ts'
import css from './AllWallets.css?inline'

// Size budget: 4.6 kB, because of the search field and the virtual list, which supports ten thousand entries without long tasks.

/** A tile in the list, for an available wallet, a directory entry, or both. */
interface Entry {
  readonly key: string
  readonly name: string
  readonly connector?: ConnectorGroup | undefined
  readonly wallet?: Wallet | undefined
}

const none: readonly never[] = []

/** Renders a searchable list of all wallets: first the available wallets, then the directory, whose pages load on scroll. */
export function AllWallets(_: ViewProps<'AllWallets'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useTranslations(viewMessages)
  const online = useOnline()
  const { blocked } = useConsent()
  const { status, directory, state, retry } = useDirectory()
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { connectors: found } = useStore((now) => now.wallets)

  const query = typed.trim()
  const settledQuery = useDebouncedValue(query, query ? debounceMs : 0)
  useEffect(() => {
    if (!directory || !online) return
    if (!query || settledQuery === query) void directory.search(query)
  }, [directory, settledQuery, query, online])
  useEffect(() => {
    // If the browser was offline, the first page loads once the browser is back online.
    if (directory && online && !directory.state.get().pages.value?.page) void directory.nextPage()
  }, [directory, online])

  const now = list({
    state,
    query,
    settled: settledQuery === query,
    loading: status === 'loading',
  })
  const all = latchkey.shown()
  // WalletConnect is not a wallet, so it has no tile. On phones, a separate button opens its view instead.
  const connectors = useMemo(() => all.filter(isWallet), [all])
  const pairs = isMobile(latchkey) && found.some(({ type }) => type === 'WALLET_CONNECT')
  const scan = (): void => latchkey.modal.push('ConnectingWalletConnect', {})
  const custom = latchkey.options.customWallets ?? none
  const { loaded, found: results } = now
  // There can be ten thousand wallets, so the merged list and the function that renders a tile are memoized.
  const entryOf = useMemo(() => createEntries(connectors), [connectors])
  const entries = useMemo(
    () => merge({ connectors, entryOf, custom, loaded, results, query }),
    [connectors, entryOf, custom, loaded, results, query],
  )
  const tile = useCallback(
    (entry: Entry) => <WalletTile entry={entry} text={text} disabled={blocked} />,
    [text, blocked],
  )
  // Nothing is fetched while the browser is offline, but loaded wallets stay visible.
  const waiting = now.loading && online
  const error = status === 'failed' || (now.loading && !online) ? 'chunk' : now.error
  const retryLast = (): void => {
    if (status === 'failed') retry()
    else if (!query) void directory?.nextPage()
    else void directory?.search(query)
  }

  return (
    <Screen title={text('allWallets.title')}>
      <ConsentBox />
      <div className="search">
        <TextField
          ref={field}
          label={text('allWallets.search')}
          hideLabel
          placeholder={text('allWallets.search')}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          leading={<Icon name="search" />}
          trailing={
            typed && (
              <IconButton
                icon="close"
                label={text('allWallets.clear')}
                onClick={() => {
                  setTyped('')
                  field.current?.focus()
                }}
              />
            )
          }
        />
        {pairs && hasDirectory(latchkey) && (
          <IconButton icon={moreIcons.qr} label={text('tag.qr')} disabled={blocked} onClick={scan} />
        )}
      </div>
      <LiveRegion>
        {waiting ? text('allWallets.loading') : text.plural('allWallets.count', Math.max(now.count, entries.length))}
      </LiveRegion>
      {error !== undefined && (
        <Notice
          kind="error"
          title={text(entries.length === 0 || query ? 'allWallets.failed' : 'allWallets.moreFailed')}
          action={{ label: text('common.retry'), onClick: retryLast }}
        >
          {error === 'chunk' ? text(online ? 'reason.unreachable' : 'reason.offline') : translateError(text, error)}
        </Notice>
      )}
      {waiting && entries.length === 0 && <Skeleton kind="tile" count={12} />}
      {!waiting && error === undefined && entries.length === 0 && <Nothing query={query} />}
      {pairs && !hasDirectory(latchkey) && (
        <Button kind="primary" wide icon={moreIcons.qr} disabled={blocked} onClick={scan}>
          WalletConnect
        </Button>
      )}
      {entries.length > 0 && (
        <VirtualList
          scrollKey={query}
          label={text('allWallets.title')}
          items={entries}
          count={error === undefined ? entries.length + Math.max(0, now.count - loaded.length) : entries.length}
          keyOf={(entry) => entry.key}
          columns={3}
          rowHeight={104}
          placeholder={placeholder}
          onMissing={() => void directory?.nextPage()}
        >
          {tile}
        </VirtualList>
      )}
    </Screen>
  )
}

function Nothing({ query }: { readonly query: string }): ReactNode {
  const text = useTranslations(viewMessages)
  if (!query) return <Text tone="soft">{text('allWallets.empty')}</Text>
  return (
    <Stack align="center" gap={4}>
      <Text kind="row">{text('allWallets.none.title')}</Text>
      <Text tone="soft">{text('allWallets.none.body', { search: query })}</Text>
    </Stack>
  )
}

const placeholder = (): ReactNode => <Skeleton kind="tile" />

interface WalletTileProps {
  readonly entry: Entry
  readonly text: ViewTranslator
  readonly disabled: boolean
}

function WalletTile({ entry, text, disabled }: WalletTileProps): ReactNode {
  const latchkey = useLatchkey()
  const { connector, wallet } = entry
  const installed = isInstalled(connector)
  const image = useWalletImage(
    connector?.icon === undefined
      ? (wallet ?? (connector?.imageId ? { image_id: connector.imageId } : undefined))
      : undefined,
  )
  return (
    <Tile
      icon={
        <span className="tile-logo" data-here={installed || undefined}>
          <WalletLogo name={entry.name} src={connector?.icon ?? image} size={56} />
        </span>
      }
      detail={installed ? text('tag.installed') : undefined}
      disabled={disabled}
      onClick={() => {
        if (connector) latchkey.pickWallet(connector)
        else if (wallet) latchkey.pickWallet(wallet)
      }}
    >
      {entry.name}
    </Tile>
  )
}

interface Listed {
  /** The loaded part of the directory, not yet filtered by a search. */
  readonly loaded: readonly Wallet[]
  /** The server's search results. */
  readonly found: readonly Wallet[]
  /** The number of wallets in the directory, or 0 during a search. */
  readonly count: number
  readonly loading: boolean
  readonly error: LatchkeyError | undefined
}

const pending: DirectoryState['search']['result'] = { status: 'loading' }

/** Returns the directory wallets to show, and the progress of the request that the user is waiting for. */
function list(now: { state: DirectoryState | undefined; query: string; settled: boolean; loading: boolean }): Listed {
  const { state, query } = now
  if (!state) return { loaded: none, found: none, count: 0, loading: now.loading, error: undefined }
  const { pages, search } = state
  const result = now.settled && search.text === query ? search.result : pending
  const request = query ? result : pages
  const { status } = request
  return {
    loaded: pages.value?.wallets ?? none,
    found: result.value ?? none,
    count: query ? 0 : (pages.value?.count ?? 0),
    loading: status === 'loading' || status === 'idle',
    error: 'error' in request ? request.error : undefined,
  }
}

function isWallet({ members }: ConnectorGroup): boolean {
  return members.some(({ type }) => type !== 'WALLET_CONNECT')
}

/**
 * Returns the available wallets, then the host's custom wallets, then the directory's wallets, without duplicates. A search first
 * filters the loaded wallets, so that the first matches appear without waiting for the server. The server's results are added at
 * the end.
 */
function merge(now: {
  connectors: readonly ConnectorGroup[]
  entryOf(wallet: Wallet): Entry
  custom: readonly Wallet[]
  loaded: readonly Wallet[]
  results: readonly Wallet[]
  query: string
}): readonly Entry[] {
  const wanted = now.query.toLowerCase()
  const matches = ({ name }: { readonly name: string }) => !wanted || name.toLowerCase().includes(wanted)
  const walletOf = new Map<ConnectorGroup, Wallet>()
  const listed = new Map<string, Entry>()
  for (const wallet of [...[...now.custom, ...now.loaded].filter(matches), ...now.results]) {
    const entry = now.entryOf(wallet)
    if (entry.connector) walletOf.set(entry.connector, walletOf.get(entry.connector) ?? wallet)
    else if (!listed.has(entry.key)) listed.set(entry.key, entry)
  }
  const installed = now.connectors.map((connector): Entry => {
    return { key: `here ${connector.id}`, name: connector.name, connector, wallet: walletOf.get(connector) }
  })
  return [...installed.filter((entry) => entry.wallet || matches(entry)), ...listed.values()]
}

/**
 * Creates a function that returns the entry for a directory wallet. Entries are cached for two reasons: comparing the names of
 * ten thousand wallets takes longer than a frame, and tiles only re-render if their entry changes.
 */
function createEntries(connectors: readonly ConnectorGroup[]): (wallet: Wallet) => Entry {
  const found = discoveredWallets(connectors)
  const entries = new WeakMap<Wallet, Entry>()
  return (wallet) => {
    const known = entries.get(wallet)
    if (known) return known
    const named = found.named(wallet)
    // The directory chooses its own IDs, so they are prefixed to avoid collisions with other keys.
    const entry = { key: `listed ${wallet.id}`, name: named.name, wallet: named, connector: found.of(wallet) }
    entries.set(wallet, entry)
    return entry
  }
}
