import type { ConnectorContext, EmbeddedWalletClient } from '@latchkey/core/adapter'
import type { ChainId, Namespace } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import {
  type MethodParams,
  type MethodResult,
  type WireAccountType,
  walletPath,
} from '@latchkey/protocol/frame/messages'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { EmbeddedAccounts } from './embeddedAccounts.ts'
import type { EmbeddedFrame } from './embeddedFrame.ts'
import { requestInVisibleFrame } from './requestInVisibleFrame.ts'
import type { EmbeddedAccount } from './sessionContext.ts'
import type { PageDataSync } from './syncPageData.ts'

/** Creates the wallet client that the login views use. */
export function createLoginClient({
  frame,
  setup,
  host,
  origin,
  connectSocial,
  hasSingleKey,
  accounts,
  getAccount,
}: {
  readonly frame: EmbeddedFrame
  readonly setup: PageDataSync
  readonly host: Pick<ConnectorContext, 'log' | 'network' | 'records'>
  /** The origin of the frame. */
  readonly origin: string
  readonly connectSocial: EmbeddedWalletClient['connectSocial']
  readonly hasSingleKey: EmbeddedWalletClient['hasSingleKey']
  readonly accounts: Pick<EmbeddedAccounts, 'get'>
  /** Requests the account for a chain family again. */
  getAccount(namespace: Namespace, chain: ChainId): Promise<EmbeddedAccount>
}): EmbeddedWalletClient {
  const { log, records } = host

  const connectInWindow: NonNullable<EmbeddedWalletClient['connectInWindow']> = async (provider, { signal }) => {
    const result = await requestInVisibleFrame(frame, 'CONNECT_WINDOW', { provider }, signal).catch(
      (error: unknown) => {
        // Report a decline as an abort, like closing a popup, because the user can then choose a different login method.
        throw isLatchkeyError(error, 'user/rejected') ? new LatchkeyError('request/aborted') : error
      },
    )
    if (result?.userName) records.socialUsername.set(result.userName)
    return result?.provider
  }

  return {
    origin,
    initialised: setup.done,
    async request(name, payload, options) {
      if (name === 'CONNECT_EMAIL' && frame.can('window')) {
        // Each name determines its payload and response types, but TypeScript cannot narrow them in a generic function.
        await requestInVisibleFrame(frame, 'CONNECT_WINDOW', payload as MethodParams<'CONNECT_EMAIL'>, options?.signal)
        return { action: 'CONNECT' } as MethodResult<typeof name>
      }
      return frame.mount().channel.ask(name, payload, options)
    },
    notify: (name, payload) => frame.mount().channel.notify(name, payload),
    get waitsForPopup() {
      return frame.mounted()?.channel.speaks === 'port'
    },
    connectSocial,
    get connectInWindow() {
      return frame.can('window') ? connectInWindow : undefined
    },
    async connectPasskey({ signal } = {}) {
      await setup.done(signal)
      // On cross-site pages, the login window also requests the passkey.
      if (frame.can('window')) return void (await requestInVisibleFrame(frame, 'CONNECT_WINDOW', undefined, signal))
      // Third-party frames do not support passkeys and would never respond.
      if (!frame.can('passkey')) throw failure('frame/no-passkeys')
      // The user clicks in the frame, and the browser then requests a passkey for the keys origin.
      await requestInVisibleFrame(frame, 'CONNECT_PASSKEY', undefined, signal)
    },
    get walletPage() {
      return frame.can('wallet') ? `${origin}${walletPath}` : undefined
    },
    hasSingleKey,
    async setAccountType(namespace, type) {
      const before = accounts.get(namespace)
      const chain = before?.chain ?? host.network(namespace)?.caipNetworkId
      const accepted = await frame
        .mount()
        .channel.ask('SET_PREFERRED_ACCOUNT', { type })
        .then(
          (): WireAccountType => type,
          (error: unknown): WireAccountType => {
            log.warn('The frame rejected the account type', error)
            return 'eoa'
          },
        )
      records.accountTypes.set({ ...records.accountTypes.get(), [namespace]: accepted })
      if (!before || !chain) return accepted
      const account = await getAccount(namespace, chain)
      return account.type === 'smartAccount' ? 'smartAccount' : 'eoa'
    },
  }
}
