import { isNamespace, namespaceOf, parseAccountId, parseChainId } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { read } from '@latchkey/protocol/parseWithSchema'
import { maxPendingTransactions, pollMs } from '@latchkey/protocol/specificationConstants'
import { sanitizeName } from '@latchkey/protocol/untrustedNames'
import * as v from 'valibot'
import type { Adapter, Network, Session } from '../adapter.ts'
import type { Latchkey } from '../latchkeyTypes.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../lib/store.ts'
import { json } from '../storage/codecs.ts'
import { type RecordDependencies, type StorageEntry, storageEntry } from '../storage/storageEntry.ts'
import { storagePrefix } from '../storage/storagePrefix.ts'
import type { Activity, OwnActivity, PendingTransaction } from './pendingTransactionTypes.ts'

/** The maximum length of a label. */
const maxLabel = 100
/** How long a transaction is kept. By then, either the history contains it or it was dropped. */
const keepMs = 7 * 24 * 60 * 60 * 1000
/** How long after a transaction was added its expiry can be read, in milliseconds. */
const expiryReadMs = 60_000

const chain = v.custom<PendingTransaction['chain']>((id) => typeof id === 'string' && parseChainId(id) !== undefined)
const account = v.custom<PendingTransaction['account']>(
  (id) => typeof id === 'string' && parseAccountId(id) !== undefined,
)
const stored = v.array(
  v.object({
    hash: v.pipe(v.string(), v.regex(/^[0-9a-zA-Z]{1,128}$/)),
    label: v.pipe(v.string(), v.maxLength(maxLabel)),
    chain,
    account,
    addedAt: v.number(),
    status: v.picklist(['pending', 'done', 'failed', 'replaced', 'dropped']),
    nonce: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
    expiry: v.exactOptional(v.object({ block: v.number(), slot: v.number() })),
    isFromHost: v.exactOptional(v.literal(true)),
  }),
)

/** Returns the storage entry of the transactions that the page sent. */
export function pendingTransactionsEntry(
  dependencies: RecordDependencies & { id?: string | undefined },
): StorageEntry<readonly PendingTransaction[]> {
  return storageEntry(
    dependencies,
    `${storagePrefix(dependencies.id)}activity`,
    'activity',
    json((value) => read(stored, value)?.slice(0, maxPendingTransactions)),
  )
}

/**
 * Creates the list of pending transactions. While the page is visible, the status of each one is read every ten seconds, at most
 * 99 times.
 */
export function createPendingTransactions(dependencies: {
  readonly state: Store<readonly PendingTransaction[]>
  readonly entry: StorageEntry<readonly PendingTransaction[]>
  readonly adapters: readonly Adapter[]
  readonly fetch?: typeof fetch
  readonly clock: Clock
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly account: Latchkey['account']
  network(chain: PendingTransaction['chain']): Network | undefined
  session(namespace: ReturnType<typeof namespaceOf>): Session | undefined
  /** Called when a transaction is no longer pending. */
  settled(transaction: PendingTransaction): void
}): OwnActivity & { stop(): void } {
  const { state, entry, clock } = dependencies
  const controller = new AbortController()
  const reads = new Map<string, number>()
  /**
   * The transactions that were replaced or dropped according to a single read. A second read has to confirm it, because the
   * nodes behind one URL can be a few blocks apart.
   */
  const doubtful = new Set<string>()
  let cancel: (() => void) | undefined

  const write = (transactions: readonly PendingTransaction[]): void => {
    state.set(transactions)
    entry.set(transactions)
  }
  const pending = (): readonly PendingTransaction[] =>
    state.get().filter(({ status, hash }) => status === 'pending' && (reads.get(hash) ?? 0) < maxPendingTransactions)
  const schedule = (): void => {
    if (cancel || controller.signal.aborted || pending().length === 0) return
    cancel = clock.after(pollMs, () => {
      cancel = undefined
      void check()
    })
  }
  const check = async (): Promise<void> => {
    if (globalThis.document?.visibilityState !== 'hidden') await Promise.all(pending().map(readStatus))
    schedule()
  }
  const readStatus = async (transaction: PendingTransaction): Promise<void> => {
    const { hash, chain, account, nonce, expiry, addedAt, isFromHost } = transaction
    reads.set(hash, (reads.get(hash) ?? 0) + 1)
    const namespace = namespaceOf(chain)
    const adapter = dependencies.adapters.find((found) => found.namespace === namespace)
    const network = dependencies.network(chain)
    if (!adapter?.transactionStatus || !network) return
    const session = dependencies.session(namespace)
    const { fetch } = dependencies
    const common = { hash, network, signal: controller.signal, ...(session && { session }), ...(fetch && { fetch }) }
    const change = (changes: Partial<PendingTransaction>): void =>
      write(state.get().map((other) => (other.hash === hash ? { ...other, ...changes } : other)))
    try {
      const status = await adapter.transactionStatus({
        ...common,
        ...(nonce !== undefined && { sent: { by: account, nonce } }),
        ...(expiry && { expiry }),
      })
      if (controller.signal.aborted) return
      if (status === 'pending') {
        doubtful.delete(hash)
        // Nodes do not report the nonce of a transaction that they have dropped, so it is stored.
        const known = nonce ?? (await adapter.transactionNonce?.({ ...common, account }))
        // The host's transactions can use a durable nonce, so they might not expire.
        const canExpire = !isFromHost && clock.now() - addedAt < expiryReadMs
        const end = expiry ?? (canExpire ? await adapter.transactionExpiry?.(common) : undefined)
        if ((known !== nonce || end !== expiry) && !controller.signal.aborted)
          change({ ...(known !== undefined && { nonce: known }), ...(end && { expiry: end }) })
        return
      }
      if ((status === 'replaced' || status === 'dropped') && !doubtful.has(hash)) {
        doubtful.add(hash)
        return
      }
      change({ status })
      dependencies.settled({ ...transaction, status })
    } catch (error) {
      dependencies.log.info('Unable to read the status of a transaction', error)
    }
  }

  const isRecent = ({ addedAt }: PendingTransaction): boolean => clock.now() - addedAt < keepMs
  state.set((entry.get() ?? []).filter(isRecent))
  void check()

  function add(
    { hash, label, chain: given, account: givenAccount }: Parameters<Activity['add']>[0],
    isFromHost: boolean,
  ): void {
    const { account: connected, chain: active } = dependencies.account()
    const sender = givenAccount ?? connected
    const chain = given ?? active
    const shown = sanitizeName(label, maxLabel)
    if (!sender || !chain || !isNamespace(namespaceOf(chain)) || !shown || !read(stored.item.entries.hash, hash)) {
      dependencies.log.warn('activity.add() needs a connected account, a transaction hash and a label.')
      return
    }
    // If both add the same transaction, Latchkey's entry overwrites the host's, but not the other way around.
    if (state.get().some((other) => other.hash === hash && (isFromHost || !other.isFromHost))) return
    const added: PendingTransaction = {
      hash,
      label: shown,
      chain,
      account: sender,
      addedAt: clock.now(),
      status: 'pending',
      ...(isFromHost && { isFromHost }),
    }
    write([added, ...state.get().filter((other) => other.hash !== hash)].slice(0, maxPendingTransactions))
    schedule()
  }

  return {
    add: (transaction) => add(transaction, false),
    addFromHost: (transaction) => add(transaction, true),
    stop() {
      controller.abort()
      cancel?.()
    },
  }
}
