import { type ChainId, isNamespace, type Namespace, namespaces, parseChainId } from '@latchkey/protocol/caip'
import { isSafeLink } from '@latchkey/protocol/safeLinks'
import { maxRecentWallets, storageVersion } from '@latchkey/protocol/specificationConstants'
import { type Codec, entriesOf, isRecord, isText, json, list, oneOf, text } from './codecs.ts'
import { type RecordDependencies, type StorageEntry, storageEntry } from './storageEntry.ts'
import { storagePrefix } from './storagePrefix.ts'

/** A recently used wallet. */
export interface RecentWallet {
  /** The wallet's ID in the directory, or else the `id` of its connector. */
  readonly id: string
  /** The wallet's display name. */
  readonly name: string
  /** The wallet's reverse domain name (EIP-6963), if it is known. */
  readonly rdns?: string
  /** The ID of the wallet's image in the directory. */
  readonly image_id?: string
  /** The URL of the wallet's image, if the host or the directory provided one. */
  readonly image_url?: string
  /** The chains that the wallet supports (CAIP-2). Absent if they are unknown. */
  readonly chains?: readonly string[]
  /** The link to the mobile app, stored so that the next visit can use it without the directory. */
  readonly mobile_link?: string
  /** The universal link to the mobile app. */
  readonly link_mode?: string
  /** The link that opens the desktop app. */
  readonly desktop_link?: string
  /** The URL of the web wallet. */
  readonly webapp_link?: string
}

/** A stored connection, with the data needed to restore it without a prompt. */
export interface StoredConnection {
  /** The `id` of the connector that restores the connection. */
  readonly connectorId: string
  /**
   * The exposed addresses without the chain, starting with the active address. Only records from older modals contain other
   * fields.
   */
  readonly accounts: readonly { readonly address: string; readonly type?: string; readonly publicKey?: string }[]
  /** The wallet's last chain (CAIP-2). */
  readonly caipNetwork?: ChainId
  /** The user's names. Only records from older modals contain them. */
  readonly auth?: { readonly name?: string; readonly username?: string }
}

/** The stored connections, keyed by namespace. */
export type StoredConnections = Readonly<Partial<Record<Namespace, readonly StoredConnection[]>>>

/** The link that last opened a wallet app. */
export interface DeepLinkChoice {
  /** The link that opens the app without a request, such as `trust://` or `https://wallet.example/`. */
  readonly href: string
  /** The display name of the wallet that the link opens. */
  readonly name: string
}

/** All stored records except the caches, which are in `storedCaches.ts`. */
export interface StorageSchema {
  /** The directory ID of the wallet that connected last, or else the `id` of its connector. */
  readonly walletId: StorageEntry<string>
  /** The display name of the wallet that connected last. */
  readonly walletName: StorageEntry<string>
  /** The active chain family. It is only read if there is no valid `activeNetwork`. */
  readonly activeNamespace: StorageEntry<Namespace>
  /** The active network. Setting it also sets `activeNamespace`. */
  readonly activeNetwork: StorageEntry<ChainId>
  /** Returns the entry for the `id` of the active connector in `namespace`. The entry is empty while disconnected. */
  connectorId(namespace: Namespace): StorageEntry<string>
  /** The provider of a social login, such as `google`. Missing if the user logged in with a different method. */
  readonly connectedSocial: StorageEntry<string>
  /** The social provider to which the page was redirected, until the user returns. */
  readonly leavingSocial: StorageEntry<string>
  /** The user's name at the social provider, if the embedded wallet reported one. */
  readonly socialUsername: StorageEntry<string>
  /** The status of the connection. `connecting` is never stored. */
  readonly status: StorageEntry<'connected' | 'disconnected'>
  /** The chain families with a connected wallet, in the order in which they connected. */
  readonly connectedNamespaces: StorageEntry<readonly Namespace[]>
  /**
   * The recently used wallets, at most two, with the most recently added first. Using a listed wallet again does not move it.
   */
  readonly recentWallets: StorageEntry<readonly RecentWallet[]>
  /** The session token of `serverSignIn()` in token mode. */
  readonly signInToken: StorageEntry<string>
  /** The token for the pending nonce of `serverSignIn()` in token mode. */
  readonly signInNonce: StorageEntry<string>
  /** The embedded wallet's account type in each namespace, as chosen by the user: `eoa` or `smartAccount`. */
  readonly accountTypes: StorageEntry<Readonly<Partial<Record<Namespace, string>>>>
  /** The connected wallets in each namespace, starting with the active wallet. */
  readonly connections: StorageEntry<StoredConnections>
  /** The app in which the paired wallet was opened. Missing if the wallet was paired by QR code. */
  readonly deepLink: StorageEntry<DeepLinkChoice>
  /** `'true'` while the user is logged in to the embedded wallet with any login method. */
  readonly emailUsed: StorageEntry<'true'>
  /** The email address of the logged-in user, if the embedded wallet reported one. */
  readonly email: StorageEntry<string>
  /** The chain of the last login, as a numeric chain ID on eip155 and as a CAIP-2 chain ID elsewhere. */
  readonly lastChain: StorageEntry<string>
  /** When an email was last requested, in epoch milliseconds. Cleared once the user is logged in. */
  readonly lastEmailLoginTime: StorageEntry<number>
  /** The CAIP-2 references of the networks that support smart accounts, such as `137`. */
  readonly smartAccountNetworks: StorageEntry<readonly string[]>
  /** The layout version of the embedded wallet's records. */
  readonly version: StorageEntry<number>
  /** Adds `wallet` to the front of the recent wallets, unless it is already in the list. At most two wallets are kept. */
  addRecent(wallet: RecentWallet): void
  /** Removes all cached data about addresses. */
  clearCaches(): void
  /** Migrates the records of an `@appkit/` modal once, if there are no Latchkey records yet. */
  adopt(): void
}

/** The names of the caches, without the prefix. */
export const cacheNames = ['portfolio_cache', 'native_balance_cache', 'ens_cache', 'identity_cache'] as const

/** Creates the storage entries for an instance. */
export function createRecords(dependencies: RecordDependencies & { id?: string | undefined }): StorageSchema {
  const prefix = storagePrefix(dependencies.id)
  const walletPrefix = dependencies.id ? `@appkit-wallet/${dependencies.id}/` : '@appkit-wallet/'
  const ours = <T>(name: string, codec: Codec<T>, noun = name.replaceAll(/[_-]/g, ' ')) =>
    storageEntry(dependencies, prefix + name, noun, codec)
  const version = storageEntry(dependencies, `${walletPrefix}STORAGE_VERSION`, 'storage version', wholeNumber)
  const isLater = () => (version.get() ?? 0) > storageVersion
  /** Creates an entry for the embedded wallet. Entries from a later version are left unchanged and are read as empty. */
  const wallets = <T>(name: string, codec: Codec<T>): StorageEntry<T> => {
    const record = storageEntry(dependencies, walletPrefix + name, name.replaceAll('_', ' ').toLowerCase(), codec)
    return {
      key: record.key,
      get: () => (isLater() ? undefined : record.get()),
      set(value) {
        if (isLater()) return
        if (version.get() !== storageVersion) version.set(storageVersion)
        record.set(value)
      },
      clear() {
        if (!isLater()) record.clear()
      },
    }
  }

  const activeNamespace = ours('active_namespace', oneOf(isNamespace))
  const activeNetwork = ours('active_caip_network_id', oneOf(isChainId))
  const status = ours('connection_status', oneOf(isStatus))
  const recentWallets = ours('recent_wallets', json(parseRecent))

  return {
    walletId: ours('wallet_id', text),
    walletName: ours('wallet_name', text),
    activeNamespace,
    activeNetwork: {
      ...activeNetwork,
      set(chain) {
        activeNetwork.set(chain)
        const parsed = parseChainId(chain)
        if (parsed) activeNamespace.set(parsed.namespace)
      },
    },
    connectorId: (namespace) => ours(`${namespace}:connected_connector_id`, text),
    connectedSocial: ours('connected_social', text),
    leavingSocial: ours('social_provider', text),
    socialUsername: wallets('SOCIAL_USERNAME', text),
    status,
    connectedNamespaces: ours('connected_namespaces', list(isNamespace)),
    recentWallets,
    signInToken: ours('siwx-auth-token', text),
    signInNonce: ours('siwx-nonce-token', text),
    accountTypes: ours('preferred_account_types', json(parseAccountTypes)),
    connections: ours('connections', json(parseConnections)),
    // The relay library of older modals set this key, and web wallets read it.
    deepLink: storageEntry(dependencies, 'WALLETCONNECT_DEEPLINK_CHOICE', 'deep link choice', {
      read: (value) => parseDeepLink(JSON.parse(value)),
      write: ({ href, name }) => JSON.stringify({ href, name }),
    }),
    emailUsed: wallets(
      'EMAIL_LOGIN_USED_KEY',
      oneOf((value) => value === 'true'),
    ),
    email: wallets('EMAIL', text),
    lastChain: wallets('LAST_USED_CHAIN_KEY', text),
    lastEmailLoginTime: wallets('LAST_EMAIL_LOGIN_TIME', wholeNumber),
    smartAccountNetworks: wallets('SMART_ACCOUNT_ENABLED_NETWORKS', list(isText)),
    version,
    addRecent(wallet) {
      const known = recentWallets.get() ?? []
      if (known.some(({ id }) => id === wallet.id)) return
      recentWallets.set([wallet, ...known].slice(0, maxRecentWallets))
    },
    clearCaches() {
      for (const name of cacheNames)
        ours(name, text, name === 'native_balance_cache' ? 'balance cache' : undefined).clear()
    },
    adopt() {
      try {
        const storage = dependencies.storage()
        if (dependencies.id || !storage || storage.getItem(status.key) !== null) return
        if (storage.getItem('@appkit/connection_status') !== 'connected') return
        for (const name of adopted) {
          const value = storage.getItem(`@appkit/${name}`)
          if (value && storage.getItem(prefix + name) === null) storage.setItem(prefix + name, value)
        }
      } catch (error) {
        dependencies.log.warn('Unable to migrate earlier records', error)
      }
    },
  }
}

/** The records that are migrated from an `@appkit/` modal. They restore the connection and the user's preferences. */
const adopted: readonly string[] = [
  'wallet_id',
  'wallet_name',
  'active_namespace',
  'active_caip_network_id',
  'connection_status',
  'connected_namespaces',
  'connected_social',
  'recent_wallets',
  'preferred_account_types',
  'connections',
  ...namespaces.map((namespace) => `${namespace}:connected_connector_id`),
]

const wholeNumber: Codec<number> = {
  read: (value) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined),
  write: String,
}

function isChainId(value: unknown): value is ChainId {
  return typeof value === 'string' && parseChainId(value) !== undefined
}

function isStatus(value: unknown): value is 'connected' | 'disconnected' {
  return value === 'connected' || value === 'disconnected'
}

function parseRecent(value: unknown): readonly RecentWallet[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value
    .filter(isRecord)
    .filter(({ id, name }) => isText(id) && isText(name))
    .map((entry) => recentOf(entry as { id: string; name: string }))
    .slice(0, maxRecentWallets)
}

const recentTexts = ['rdns', 'image_id', 'image_url'] as const
const recentLinks = ['mobile_link', 'link_mode', 'desktop_link', 'webapp_link'] as const

/** Returns the recent-wallet entry for a wallet from the directory or from an earlier page load. */
export function recentOf(wallet: { readonly id: string; readonly name: string }): RecentWallet {
  const from: Readonly<Record<string, unknown>> = { ...wallet }
  const { chains } = from
  const texts = recentTexts.filter((name) => isText(from[name]))
  // Check the links, because any script on the page could have written the record.
  const links = recentLinks.filter((name) => isText(from[name]) && isSafeLink(from[name]))
  return {
    id: wallet.id,
    name: wallet.name,
    ...Object.fromEntries([...texts, ...links].map((name) => [name, from[name]])),
    ...(Array.isArray(chains) && { chains: chains.filter(isText) }),
  }
}

function parseAccountTypes(value: unknown): Readonly<Partial<Record<Namespace, string>>> | undefined {
  return entriesOf(value, (type, namespace) => (isNamespace(namespace) && isText(type) ? type : undefined))
}

function parseConnections(value: unknown): StoredConnections | undefined {
  return entriesOf(value, (entry, namespace) =>
    isNamespace(namespace) && Array.isArray(entry)
      ? entry.map(parseConnection).filter((connection) => connection !== undefined)
      : undefined,
  )
}

function parseConnection(value: unknown): StoredConnection | undefined {
  if (!isRecord(value) || !isText(value.connectorId) || !Array.isArray(value.accounts)) return undefined
  // Older modals stored the whole network object here.
  const chain = isRecord(value.caipNetwork) ? value.caipNetwork.caipNetworkId : value.caipNetwork
  const { auth } = value
  return {
    connectorId: value.connectorId,
    accounts: value.accounts
      .filter(isRecord)
      .flatMap(({ address, type, publicKey }) =>
        isText(address) ? [{ address, ...(isText(type) && { type }), ...(isText(publicKey) && { publicKey }) }] : [],
      ),
    ...(isChainId(chain) && { caipNetwork: chain }),
    ...(isRecord(auth) && {
      auth: {
        ...(isText(auth.name) && { name: auth.name }),
        ...(isText(auth.username) && { username: auth.username }),
      },
    }),
  }
}

function parseDeepLink(value: unknown): DeepLinkChoice | undefined {
  return isRecord(value) && isText(value.href) && isText(value.name)
    ? { href: value.href, name: value.name }
    : undefined
}
