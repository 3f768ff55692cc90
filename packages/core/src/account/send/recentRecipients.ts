import {
  type AccountId,
  addressOf,
  type ChainId,
  type Namespace,
  namespaceOf,
  parseChainId,
} from '@latchkey/protocol/caip'
import { read } from '@latchkey/protocol/parseWithSchema'
import { isSameAddress } from '@latchkey/protocol/recipientAddress'
import { sanitizeName } from '@latchkey/protocol/untrustedNames'
import * as v from 'valibot'
import { json } from '../../storage/codecs.ts'
import { type RecordDependencies, storageEntry } from '../../storage/storageEntry.ts'
import { storagePrefix } from '../../storage/storagePrefix.ts'
import type { PendingTransaction } from '../pendingTransactionTypes.ts'
import type { RecentRecipient } from './sendTypes.ts'

/** The maximum number of stored recipients, of all accounts. */
const maxRecipients = 50
const dayMs = 86_400_000

const text = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max))
const chain = v.custom<ChainId>((id) => typeof id === 'string' && parseChainId(id) !== undefined)
const stored = v.array(
  v.object({
    owner: text(128),
    chain,
    address: text(128),
    name: v.exactOptional(text(255)),
    at: v.number(),
    /** Absent if the wallet did not return a hash, so that the transfer may not have been sent. */
    hash: v.exactOptional(text(128)),
    /** The token and amount. They are stored to detect a repetition in another tab. */
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
  /** Stores a recipient as unconfirmed. `settle` later confirms or removes it. */
  add(
    transfer: SentTransfer & {
      readonly name: string | undefined
      readonly at: number
      /** `undefined` if the transfer may have been sent, but the wallet did not return a hash. */
      readonly hash: string | undefined
    },
  ): void
  /**
   * Removes the record of a transfer that was added at this time without a hash. Called once the outcome of its request is
   * known.
   */
  withdraw(transfer: SentTransfer & { readonly at: number }): void
  /**
   * Whether the same transfer may have been sent since the given time (epoch milliseconds), in this or another tab. A transfer
   * that is still pending counts for a day longer, because that is when users try again. Failed and dropped transfers do not
   * count, but replaced ones do, because the wallet might have sent them again with a higher fee.
   */
  wasSent(transfer: SentTransfer, since: number): boolean
  /**
   * Confirms the recipients of these transfers, or removes them if the transfer failed or was dropped. The recipient of a
   * replaced transfer stays unconfirmed. Returns whether anything changed.
   */
  settle(transfers: readonly Pick<PendingTransaction, 'hash' | 'status'>[]): boolean
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
  const namedEntry = (owner: string, { chain, address }: Pick<StoredRecipient, 'chain' | 'address'>) =>
    all().find(
      (item) =>
        item.isConfirmed &&
        item.name !== undefined &&
        item.owner === owner &&
        item.chain === chain &&
        isSameAddress(item.address, address),
    )
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
        // A later transfer to the plain address does not hide the name that the user entered for an earlier one.
        const shown = sanitizeName(name ?? namedEntry(owner, { chain, address })?.name, 255)
        found.push({ address, chain, at, ...(shown && { name: shown }) })
      }
      return found
    },
    add({ account, name, amount, hash, ...transfer }) {
      const added: StoredRecipient = {
        ...transfer,
        ...(hash !== undefined && { hash }),
        owner: ownerOf(account),
        amount: String(amount),
        isConfirmed: false,
        ...(name && { name }),
      }
      entry.set([added, ...all().filter((item) => hash === undefined || item.hash !== hash)].slice(0, maxRecipients))
    },
    withdraw({ at, ...transfer }) {
      const stored = all()
      // Remove only one record, because the same transfer might have been requested twice.
      const index = stored.findIndex((item) => item.at === at && item.hash === undefined && isOf(item, transfer))
      if (index >= 0) entry.set(stored.filter((_, position) => position !== index))
    },
    wasSent: (transfer, since) =>
      all().some((item) => item.at >= (item.isConfirmed ? since : since - dayMs) && isOf(item, transfer)),
    settle(transfers) {
      const status = new Map(transfers.map((transfer) => [transfer.hash, transfer.status]))
      let hasChanged = false
      const next = all().flatMap((recipient) => {
        const { hash, isConfirmed } = recipient
        const now = isConfirmed || hash === undefined ? undefined : status.get(hash)
        if (now !== 'done' && now !== 'failed' && now !== 'dropped') return recipient
        hasChanged = true
        return now === 'done' ? { ...recipient, isConfirmed: true } : []
      })
      if (hasChanged) entry.set(next)
      return hasChanged
    },
    clear: (account) => entry.set(all().filter(({ owner }) => owner !== ownerOf(account))),
  }
}

function isOf(item: StoredRecipient, { account, chain, address, token, amount }: SentTransfer): boolean {
  return (
    item.owner === ownerOf(account) &&
    item.chain === chain &&
    item.token === token &&
    item.amount === String(amount) &&
    isSameAddress(item.address, address)
  )
}

/** Returns the account without its chain, because an account has the same recipients on all networks of a family. */
function ownerOf(account: AccountId): `${Namespace}:${string}` {
  const namespace = namespaceOf(account)
  const address = addressOf(account)
  return `${namespace}:${namespace === 'eip155' ? address.toLowerCase() : address}`
}
