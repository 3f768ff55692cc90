import type { Hex, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type AnnouncedInfo, announceProvider, injectProvider } from './announceProvider.ts'
import { type LocalChain, localChain } from './localChain.ts'
import { createPrompts, type Prompt } from './prompts.ts'
import { createProviderEvents } from './providerEvents.ts'
import { ProviderRpcError } from './providerRpcError.ts'
import { createRequestLog, type LoggedRequest } from './requestLog.ts'
import { testAccounts } from './testAccounts.ts'
import { createWalletMethods } from './walletMethods.ts'
import { createWalletState } from './walletState.ts'
import { createWalletStorage } from './walletStorage.ts'

/** A custom response to a method. Call `next` to get the wallet's own response. */
export type Override = (call: { method: string; params: unknown }, next: () => Promise<unknown>) => unknown

/** Options for `scriptedWallet`. */
export interface ScriptedWalletOptions {
  /**
   * The accounts, starting with the active account. By default, the account from `account` or `privateKey`, or else the first
   * test account.
   */
  readonly accounts?: readonly LocalAccount[]
  /** The only account. Ignored if `accounts` is set. */
  readonly account?: LocalAccount
  /** The private key of the only account. Ignored if `accounts` or `account` is set. */
  readonly privateKey?: Hex
  /** The supported chains, starting with the active chain. Default: chain 31337. */
  readonly chains?: readonly LocalChain[]
  /** The RPC URL of the only chain, if `chains` is not set. Default: `http://127.0.0.1:8545`. */
  readonly rpcUrl?: string
  /** The name that the wallet announces. Default: `Scripted Wallet`. */
  readonly name?: string
  /** The reverse domain name that the wallet announces (EIP-6963). Default: `dev.latchkey.scripted`. */
  readonly rdns?: string
  /** The icon that the wallet announces, as a data URL. */
  readonly icon?: string
  /** The UUID that the wallet announces (EIP-6963). Default: a random UUID. */
  readonly uuid?: string
  /**
   * Whether to keep the page's permission and chain across reloads, as extensions do. Uses localStorage, unless a storage
   * object is passed.
   */
  readonly remember?: boolean | Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** EIP-5792 capabilities, keyed by hex chain ID. Default: none. */
  readonly capabilities?: Readonly<Record<Hex, Readonly<Record<string, unknown>>>>
  /** Whether `wallet_revokePermissions` emits `accountsChanged`, emits no event, or is not supported. Default: `event`. */
  readonly revocation?: 'event' | 'silent' | 'unsupported'
  /**
   * Decides each prompt that the script does not decline, for example by showing it on screen. By default, these prompts are
   * approved.
   */
  readonly ask?: (prompt: Prompt) => Promise<boolean>
}

/** Controls the wallet from a test, in place of a user. Prompts are approved by default. */
export interface WalletScript {
  /** Every request that the wallet received, oldest first. */
  readonly requests: readonly LoggedRequest[]
  /** The prompts that `hold()` has left pending. */
  readonly waiting: readonly Prompt[]
  /** Stops declining and holding new prompts, which are then approved, or decided by `ask` if it is set. */
  approve(): void
  /** Rejects prompts with error 4001 from now on. With `method`, rejects only the prompts of that method. */
  decline(method?: string): void
  /** Delays every response by `ms`. */
  delay(ms: number): void
  /** Keeps prompts pending until `release()`. */
  hold(): void
  /** Decides the pending prompts, and stops holding new ones. */
  release(answer?: 'approve' | 'decline'): void
  /**
   * Locks the wallet, as after a timeout. It exposes no accounts until it is unlocked or the user approves `eth_requestAccounts`.
   */
  lock(): void
  /** Unlocks the wallet. It exposes its accounts again if the page is authorized. */
  unlock(): void
  /** Simulates the user selecting different accounts in the wallet. Pass indexes into `accounts`, or account objects. */
  setAccounts(accounts: readonly (LocalAccount | number)[]): void
  /** Simulates the user switching the network in the wallet. The page does not have to support that network. */
  setChain(chain: number | LocalChain): void
  /** Simulates the user disconnecting this page in the wallet. */
  forget(): void
  /** Stops all responses, including those to pending requests. */
  die(): void
  /** Responds to new requests again. Earlier requests stay pending. */
  revive(): void
  /** Handles `method` with `override`. Returns a function that removes the override. */
  on(method: string, override: Override): () => void
}

/** An EIP-1193 provider with events. */
export interface ScriptedProvider {
  /** Sends a request to the wallet. Rejects with a `ProviderRpcError`. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
  /** Adds a listener for `accountsChanged` and other events (EIP-1193). Returns the provider. */
  on(event: string, listener: (value: never) => void): ScriptedProvider
  /** Removes a listener that was added with `on`. Returns the provider. */
  removeListener(event: string, listener: (value: never) => void): ScriptedProvider
}

/** A wallet with real keys on a real chain, controlled by a script. */
export interface ScriptedWallet {
  /** The name, icon, rdns and UUID that the wallet announces (EIP-6963). */
  readonly info: AnnouncedInfo
  /** The EIP-1193 provider, which can be used without announcing the wallet. */
  readonly provider: ScriptedProvider
  /** Controls the wallet in place of its user. */
  readonly script: WalletScript
  /** Announces the wallet (EIP-6963) immediately and on request. Returns a function that stops announcing. */
  announce(target?: EventTarget): () => void
  /** Sets `window.ethereum`, as older wallets do. Returns a function that removes it. */
  inject(target?: object): () => void
}

const defaultIcon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'%3E%3Crect width='40' height='40' rx='10' fill='%23286b4f'/%3E%3Cpath d='M11 21l6 6 12-14' fill='none' stroke='%23fff' stroke-width='4' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"

/**
 * Creates a wallet that behaves like an extension and is controlled by a script. Its signatures and transactions are real.
 *
 * @example
 * const wallet = scriptedWallet({ rpcUrl: 'http://127.0.0.1:8545' })
 * wallet.announce()
 * wallet.script.decline('eth_sendTransaction')
 */
export function scriptedWallet(options: ScriptedWalletOptions = {}): ScriptedWallet {
  const info: AnnouncedInfo = Object.freeze({
    uuid: options.uuid ?? globalThis.crypto.randomUUID(),
    name: options.name ?? 'Scripted Wallet',
    rdns: options.rdns ?? 'dev.latchkey.scripted',
    icon: options.icon ?? defaultIcon,
  })
  const log = createRequestLog()
  const prompts = createPrompts(options.ask)
  const events = createProviderEvents()
  const state = createWalletState({
    accounts: options.accounts ?? [
      options.account ?? privateKeyToAccount(options.privateKey ?? testAccounts[0].privateKey),
    ],
    chains: options.chains ?? [localChain({ rpcUrl: options.rpcUrl ?? 'http://127.0.0.1:8545' })],
    storage: createWalletStorage(options.remember, `scripted-wallet:${info.rdns}`),
    emit(event, value) {
      if (!log.isDead) events.emit(event, value)
    },
  })
  const handleMethod = createWalletMethods({
    state,
    async prompt(method, params) {
      const { account, chain } = state
      const isApproved = await prompts.decide({ method, params, account: account.address, chainId: chain.id })
      if (!isApproved) throw new ProviderRpcError(4001, 'User rejected the request.')
    },
    capabilities: options.capabilities ?? {},
    revocation: options.revocation ?? 'event',
  })
  const overrides = new Map<string, Override>()

  const provider: ScriptedProvider = {
    request({ method, params }) {
      const override = overrides.get(method)
      const respond = (): Promise<unknown> => handleMethod(method, params)
      return log.run({ method, params }, async () => (override ? override({ method, params }, respond) : respond()))
    },
    on(event, listener) {
      events.on(event, listener)
      return provider
    },
    removeListener(event, listener) {
      events.removeListener(event, listener)
      return provider
    },
  }

  const script: WalletScript = {
    requests: log.requests,
    get waiting() {
      return prompts.waiting
    },
    approve: prompts.approve,
    decline: prompts.decline,
    delay: log.delay,
    hold: prompts.hold,
    release: (decision = 'approve') => prompts.release(decision),
    lock: state.lock,
    unlock: state.unlock,
    setAccounts: state.selectAccounts,
    setChain: state.selectChain,
    forget: () => state.revoke(),
    die() {
      log.die()
      prompts.abandon()
    },
    revive: log.revive,
    on(method, override) {
      overrides.set(method, override)
      return () => {
        if (overrides.get(method) === override) overrides.delete(method)
      }
    },
  }

  return {
    info,
    provider,
    script,
    announce: (target = globalThis as unknown as EventTarget) => announceProvider(info, provider, target),
    inject: (target = globalThis) => injectProvider(provider, target),
  }
}
