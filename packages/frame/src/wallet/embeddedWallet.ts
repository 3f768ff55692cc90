import { frameTexts } from '@latchkey/protocol/frame/messages'
import { getMe, type KeysMe } from '@latchkey/protocol/http/keys'
import { type Addresses, getProtection, type UnlockedVault, type UnlockKey } from '@latchkey/vault'
import type { ApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView, BackupOptions } from '../approvals/approvalViewModel.ts'
import { PublicError } from '../publicError.ts'
import { createBackupOptions } from './backupOptions.ts'
import { rememberWallet } from './knownWallet.ts'
import { openOrCreateWallet } from './openOrCreateWallet.ts'
import { askPasskeyLogin } from './passkeyLogin.ts'
import type { WalletDependencies } from './walletDependencies.ts'

/** The signed-in user's wallet. */
export interface EmbeddedWallet {
  /** Opens the vault with this device's key, creates the vault if the account has none, or asks the user for another key. */
  open(me: KeysMe, suppliedKey?: UnlockKey): Promise<OpenedWallet>
  /** Shows the passkey login screen. Signing in, or creating an account, also unlocks the wallet. */
  loginWithPasskey(request: {
    readonly id: string | undefined
    /** The queue in which to show the screen. Defaults to the wallet's queue. */
    readonly approvals?: ApprovalQueue<ApprovalView>
  }): Promise<OpenedWallet>
  /** The unlocked wallet, or `undefined` while it is locked. */
  opened(): OpenedWallet | undefined
  lock(): void
}

/** An unlocked vault and its addresses. `single` specifies whether the vault has only one key. */
export interface OpenedWallet {
  readonly userId: string
  readonly vault: UnlockedVault
  readonly addresses: Addresses
  readonly single: boolean
  readonly protecting: BackupOptions
}

/** Creates a locked wallet. */
export function createEmbeddedWallet(dependencies: WalletDependencies): EmbeddedWallet {
  const { shared } = dependencies
  let now: OpenedWallet | undefined
  /** Counts how often the wallet was locked. If the count changes while the wallet is being opened, the wallet stays locked. */
  let locks = 0

  const opened = (): OpenedWallet | undefined => {
    if (now?.vault.locked) now = undefined
    return now
  }

  const wallet: EmbeddedWallet = {
    opened,
    async loginWithPasskey({ id, approvals = dependencies.approvals }) {
      if (!(await dependencies.passkeys())) throw new PublicError(frameTexts.noPasskeys)
      const { user, key } = await askPasskeyLogin({ ...dependencies, approvals }, id)
      if (user) dependencies.signedIn(user)
      const me = await dependencies.keysClient(getMe)
      return wallet.open(me, key)
    },
    open: (me, suppliedKey) => {
      const before = locks
      const requireNotLocked = (): void => {
        if (locks !== before) throw new PublicError('Not signed in')
      }
      const approvals: ApprovalQueue<ApprovalView> = {
        ...dependencies.approvals,
        async ask(request) {
          requireNotLocked()
          return dependencies.approvals.ask(request)
        },
      }
      // Several requests can arrive at the same time after a login. They share one attempt to unlock the wallet.
      return shared(`open:${me.user.id}:${before}`, async () => {
        const found = opened()
        if (found?.userId === me.user.id) {
          // Adopt the keys that were added or removed on other devices. The vault ignores a record that is not newer than its
          // own.
          if (me.record) await found.vault.adoptRecord(me.record.record).catch(() => undefined)
          return found
        }
        found?.vault.lock()
        const vault = await openOrCreateWallet({ ...dependencies, approvals }, me, suppliedKey)
        await rememberWallet(dependencies.store, me.user.id, vault.record)
        const passkeys = await dependencies.passkeys()
        if (locks !== before) vault.lock()
        requireNotLocked()
        now = {
          protecting: createBackupOptions(dependencies, { userId: me.user.id, vault, passkeys }),
          userId: me.user.id,
          vault,
          addresses: vault.record.addresses,
          get single() {
            return getProtection(vault.record).state === 'single'
          },
        }
        return now
      })
    },
    lock() {
      locks += 1
      now?.vault.lock()
      now = undefined
    },
  }
  return wallet
}
