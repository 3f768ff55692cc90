import {
  type AccountId,
  addressOf,
  type ChainId,
  type Namespace,
  namespaceOf,
  parseChainId,
} from '@latchkey/protocol/caip'
import { shownName } from '@latchkey/protocol/displayName'
import { read } from '@latchkey/protocol/parseWithSchema'
import { isSameAddress } from '@latchkey/protocol/recipientAddress'
import * as v from 'valibot'
import { json } from '../../storage/codecs.ts'
import { type RecordDependencies, storageEntry } from '../../storage/storageEntry.ts'
import { storagePrefix } from '../../storage/storagePrefix.ts'
import type { RecentRecipient } from './sendTypes.ts'

/** The maximum number of stored recipients, of all accounts. */
const maxRecipients = 50

const text = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max))
const chain = v.custom<ChainId>((id) => typeof id === 'string' && parseChainId(id) !== undefined)
const stored = v.array(
  v.object({
    owner: text(128),
    chain,
    address: text(128),
    name: v.exactOptional(text(255)),
    at: v.number(),
    hash: text(128),
    /** The token and amount, to detect a repetition in another tab. */
    token: v.exactOptional(text(300)),
    amount: v.exactOptional(v.pipe(v.string(), v.regex(/^\d{1,78}$/))),
    /** Whether the network has confirmed the transfer. */
    isConfirmed: v.boolean(),
  }),
)
type StoredRecipient = v.InferOutput<typeof stored>[number]

/** A transfer from this browser. */
export interface SentTransfer {
  readonly account: AccountId
  readonly chain: ChainId
  readonly address: string
  /** The ID of the token. */
  readonly token: string
  readonly amount: bigint
}

/** The recipients of the account's transfers. Only confirmed ones are returned. */
export interface RecentRecipients {
  /** Returns the recipients of an account, most recent first. Each address is listed once per chain. */
  of(account: AccountId | undefined): readonly RecentRecipient[]
  /** Stores a recipient, which is unconfirmed until its transfer is confirmed or has failed. */
  add(
    transfer: SentTransfer & {
      readonly name: string | undefined
      readonly at: number
      readonly hash: string
    },
  ): void
  /**
   * Whether the same transfer was sent since the given time (epoch milliseconds), in this or another tab. Failed transfers do not
   * count.
   */
  wasSent(transfer: SentTransfer, since: number): boolean
  /** Confirms the recipients of these transfers, or removes them if the transfer failed. Returns whether anything changed. */
  settle(
    transfers: readonly { readonly hash: string; readonly status: 'pending' | 'done' | 'failed' | 'replaced' }[],
  ): boolean
  /** Removes the recipients of an account. */
  clear(account: AccountId): void
}

/** Returns the recent recipients in the page's storage, separated by account, because several people can share a browser. */
export function recentRecipients(
  dependencies: RecordDependencies & { readonly id?: string | undefined },
): RecentRecipients {
  const entry = storageEntry(
    dependencies,
    `${storagePrefix(dependencies.id)}recent_recipients`,
    'recent recipients',
    json((value) => read(stored, value)?.slice(0, maxRecipients)),
  )
  const all = (): readonly StoredRecipient[] => entry.get() ?? []
  return {
    of(account) {
      if (!account) return []
      const owner = ownerOf(account)
      const found: RecentRecipient[] = []
      for (const { address, chain, name, at, isConfirmed, ...item } of all()) {
        if (
          !isConfirmed ||
          item.owner !== owner ||
          found.some((other) => other.chain === chain && isSameAddress(other.address, address))
        )
          continue
        const shown = shownName(name, 255)
        found.push({ address, chain, at, ...(shown && { name: shown }) })
      }
      return found
    },
    add({ account, name, amount, ...transfer }) {
      const added: StoredRecipient = {
        ...transfer,
        owner: ownerOf(account),
        amount: String(amount),
        isConfirmed: false,
        ...(name && { name }),
      }
      entry.set([added, ...all().filter(({ hash }) => hash !== transfer.hash)].slice(0, maxRecipients))
    },
    wasSent: ({ account, chain, address, token, amount }, since) =>
      all().some(
        (item) =>
          item.at >= since &&
          item.owner === ownerOf(account) &&
          item.chain === chain &&
          item.token === token &&
          item.amount === String(amount) &&
          isSameAddress(item.address, address),
      ),
    settle(transfers) {
      const status = new Map(transfers.map((transfer) => [transfer.hash, transfer.status]))
      let hasChanged = false
      const next = all().flatMap((recipient) => {
        const now = recipient.isConfirmed ? undefined : status.get(recipient.hash)
        if (now === undefined || now === 'pending') return recipient
        hasChanged = true
        return now === 'done' ? { ...recipient, isConfirmed: true } : []
      })
      if (hasChanged) entry.set(next)
      return hasChanged
    },
    clear: (account) => entry.set(all().filter(({ owner }) => owner !== ownerOf(account))),
  }
}

/** Returns the account without its chain, because an account has the same recipients on all networks of a family. */
function ownerOf(account: AccountId): `${Namespace}:${string}` {
  const namespace = namespaceOf(account)
  const address = addressOf(account)
  return `${namespace}:${namespace === 'eip155' ? address.toLowerCase() : address}`
}
