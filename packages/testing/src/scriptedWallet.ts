import {
  type Address,
  createWalletClient,
  type Hex,
  hexToBigInt,
  http,
  isHex,
  type LocalAccount,
  numberToHex,
  stringToHex,
  type TypedDataDefinition,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type LocalChain, localChain } from './localChain.ts'
import { ProviderRpcError } from './providerRpcError.ts'
import { testAccounts } from './testAccounts.ts'

/** The provider info of an EIP-6963 announcement. */
export interface AnnouncedInfo {
  readonly uuid: string
  readonly name: string
  readonly icon: string
  readonly rdns: string
}

/** A request that the wallet received. */
export interface LoggedRequest {
  readonly method: string
  readonly params: unknown
  readonly outcome: 'waiting' | 'answered' | 'failed' | 'lost'
}

/** A prompt that the wallet would show to the user in its own window. */
export interface Prompt {
  readonly method: string
  readonly params: unknown
  readonly account: Address
  readonly chainId: number
}

/** A custom response to a method. Call `next` for the wallet's own response. */
export type Override = (call: { method: string; params: unknown }, next: () => Promise<unknown>) => unknown

/** Options of `scriptedWallet`. */
export interface ScriptedWalletOptions {
  /** The accounts, starting with the active account. Or use one of the two options below. [the first test account] */
  readonly accounts?: readonly LocalAccount[]
  readonly account?: LocalAccount
  readonly privateKey?: Hex
  /** The supported chains, starting with the active chain. [31337] */
  readonly chains?: readonly LocalChain[]
  /** The RPC URL of the only chain, if `chains` is not given. [http://127.0.0.1:8545] */
  readonly rpcUrl?: string
  readonly name?: string
  readonly rdns?: string
  /** A data URL. */
  readonly icon?: string
  readonly uuid?: string
  /** Whether to keep the page's permission and chain across reloads, as an extension does: in localStorage, or in the given storage. */
  readonly remember?: boolean | Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** EIP-5792 capabilities by hex chain ID. [{}] */
  readonly capabilities?: Readonly<Record<Hex, Readonly<Record<string, unknown>>>>
  /** How it handles `wallet_revokePermissions`: with an `accountsChanged` event, without an event, or not at all. [told] */
  readonly revocation?: 'told' | 'silent' | 'unsupported'
  /** Decides each prompt, for example by showing it on screen. [the script decides and approves] */
  readonly ask?: (prompt: Prompt) => Promise<boolean>
}

/** Controls the wallet from a test, in place of a user. Prompts are approved by default. */
export interface WalletScript {
  /** Every request that it received, oldest first. */
  readonly requests: readonly LoggedRequest[]
  /** The prompts that `hold()` has left pending. */
  readonly waiting: readonly Prompt[]
  approve(): void
  /** Rejects prompts with 4001 from now on. With `method`, rejects only prompts of that method. */
  decline(method?: string): void
  /** Delays every response by `ms`. */
  delay(ms: number): void
  /** Keeps prompts pending until `release()`. */
  hold(): void
  /** Resolves the pending prompts and returns to approving. */
  release(answer?: 'approve' | 'decline'): void
  /** Locks the wallet, as after a timeout: it exposes no accounts until it is unlocked or the user approves eth_requestAccounts. */
  lock(): void
  unlock(): void
  /** Simulates the user selecting other accounts in the wallet, by index into `accounts` or as account objects. */
  setAccounts(accounts: readonly (LocalAccount | number)[]): void
  /** Simulates the user switching the network in the wallet, including to a network that the page does not know. */
  setChain(chain: number | LocalChain): void
  /** Simulates the user disconnecting this page in the wallet. */
  forget(): void
  /** Stops all responses, including those to pending requests. */
  die(): void
  /** Responds to new requests again. Earlier requests stay pending. */
  revive(): void
  /** Handles `method` with `override` until the returned function is called. */
  on(method: string, override: Override): () => void
}

/** An EIP-1193 provider with events. */
export interface ScriptedProvider {
  request(call: { method: string; params?: unknown }): Promise<unknown>
  on(event: string, listener: (value: never) => void): ScriptedProvider
  removeListener(event: string, listener: (value: never) => void): ScriptedProvider
}

/** A wallet with real keys on a real chain, controlled by a script. */
export interface ScriptedWallet {
  readonly info: AnnouncedInfo
  readonly provider: ScriptedProvider
  readonly script: WalletScript
  /** Announces itself (EIP-6963) immediately and on request. Returns a function that stops announcing. */
  announce(target?: EventTarget): () => void
  /** Sets `window.ethereum`, as older wallets do. Returns a function that removes it. */
  inject(target?: object): () => void
}

const defaultIcon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'%3E%3Crect width='40' height='40' rx='10' fill='%23286b4f'/%3E%3Cpath d='M11 21l6 6 12-14' fill='none' stroke='%23fff' stroke-width='4' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"

const prompting = new Set([
  'eth_requestAccounts',
  'wallet_requestPermissions',
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'wallet_watchAsset',
])

/** Creates a wallet that behaves like an extension, with real signatures and transactions, controlled by a script. */
export function scriptedWallet(options: ScriptedWalletOptions = {}): ScriptedWallet {
  const everyAccount: readonly LocalAccount[] = options.accounts ?? [
    options.account ?? privateKeyToAccount(options.privateKey ?? testAccounts[0].privateKey),
  ]
  const info: AnnouncedInfo = Object.freeze({
    uuid: options.uuid ?? globalThis.crypto.randomUUID(),
    name: options.name ?? 'Scripted Wallet',
    rdns: options.rdns ?? 'dev.latchkey.scripted',
    icon: options.icon ?? defaultIcon,
  })
  const memory = memoryOf(options.remember, `scripted-wallet:${info.rdns}`)
  const known = memory.read()
  const chains = new Map<number, LocalChain>()
  for (const chain of options.chains ?? [localChain({ rpcUrl: options.rpcUrl ?? 'http://127.0.0.1:8545' })]) {
    chains.set(chain.id, chain)
  }
  for (const chain of known?.added ?? []) chains.set(chain.id, chain)

  let accounts: readonly LocalAccount[] = everyAccount
  let chain = (known && chains.get(known.chainId)) ?? first(chains)
  let connected = known?.connected ?? false
  let locked = false
  let deaths = 0
  let dead = false
  let delayMs = 0
  let mode: 'approve' | 'decline' | 'hold' = 'approve'
  let declined: ReadonlySet<string> = new Set()
  let held: { prompt: Prompt; decide: (yes: boolean) => void }[] = []
  const added: LocalChain[] = [...(known?.added ?? [])]
  const overrides = new Map<string, Override>()
  const listeners = new Map<string, Set<(value: never) => void>>()
  const requests: LoggedRequest[] = []

  const addresses = (): Address[] => (connected && !locked ? accounts.map(({ address }) => address) : [])
  const emit = (event: string, value: unknown): void => {
    if (dead) return
    for (const listener of [...(listeners.get(event) ?? [])]) listener(value as never)
  }
  const remember = (): void => memory.write({ connected, chainId: chain.id, added })

  async function ask(method: string, params: unknown): Promise<void> {
    const prompt: Prompt = {
      method,
      params,
      account: active(accounts).address,
      chainId: chain.id,
    }
    const yes = declined.has(method)
      ? false
      : mode === 'hold'
        ? await new Promise<boolean>((decide) => {
            held.push({ prompt, decide })
          })
        : mode === 'decline'
          ? false
          : options.ask
            ? await options.ask(prompt)
            : true
    if (!yes) throw new ProviderRpcError(4001, 'User rejected the request.')
  }

  function grant(): void {
    connected = true
    locked = false
    remember()
  }

  function moveTo(next: LocalChain): void {
    if (next.id === chain.id) return
    chain = next
    remember()
    emit('chainChanged', numberToHex(next.id))
  }

  function signer(address: unknown): LocalAccount {
    const found = accounts.find((account) => account.address.toLowerCase() === String(address).toLowerCase())
    if (!connected || locked || !found)
      throw new ProviderRpcError(4100, 'The requested account has not been authorized.')
    return found
  }

  async function pass(method: string, params: unknown): Promise<unknown> {
    const url = chain.rpcUrls.default.http[0]
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: params ?? [],
      }),
    })
    const answer = (await response.json()) as {
      result?: unknown
      error?: { code: number; message: string; data?: unknown }
    }
    if (answer.error) throw new ProviderRpcError(answer.error.code, answer.error.message, answer.error.data)
    return answer.result
  }

  async function answer(method: string, params: unknown): Promise<unknown> {
    const list = Array.isArray(params) ? (params as unknown[]) : []
    switch (method) {
      case 'eth_accounts':
        return addresses()
      case 'eth_chainId':
        return numberToHex(chain.id)
      case 'net_version':
        return String(chain.id)
      case 'eth_requestAccounts':
        if (addresses().length === 0) await ask(method, params)
        grant()
        return addresses()
      case 'wallet_requestPermissions':
        await ask(method, params)
        grant()
        return permissions()
      case 'wallet_getPermissions':
        return connected ? permissions() : []
      case 'wallet_revokePermissions':
        if (options.revocation === 'unsupported') break
        forget({ silently: options.revocation === 'silent' })
        return null
      case 'wallet_getCapabilities':
        signer(list[0])
        return options.capabilities ?? {}
      case 'personal_sign': {
        const account = signer(list[1])
        await ask(method, params)
        const message = String(list[0])
        return account.signMessage({
          message: { raw: isHex(message) ? message : stringToHex(message) },
        })
      }
      case 'eth_signTypedData_v4': {
        const account = signer(list[0])
        await ask(method, params)
        const typed = (typeof list[1] === 'string' ? JSON.parse(list[1]) : list[1]) as TypedDataDefinition
        return account.signTypedData(typed)
      }
      case 'eth_sendTransaction': {
        const asked = (list[0] ?? {}) as {
          from?: Address
          to?: Address
          value?: Hex
          data?: Hex
          gas?: Hex
        }
        const account = signer(asked.from ?? active(accounts).address)
        await ask(method, params)
        const client = createWalletClient({
          account,
          chain,
          transport: http(chain.rpcUrls.default.http[0]),
        })
        return client.sendTransaction({
          to: asked.to ?? null,
          ...(asked.value === undefined ? {} : { value: hexToBigInt(asked.value) }),
          ...(asked.data === undefined ? {} : { data: asked.data }),
          ...(asked.gas === undefined ? {} : { gas: hexToBigInt(asked.gas) }),
        })
      }
      case 'wallet_switchEthereumChain': {
        const wanted = chains.get(Number((list[0] as { chainId?: string } | undefined)?.chainId))
        if (!wanted) throw new ProviderRpcError(4902, 'Unrecognized chain ID. Try adding the chain first.')
        if (wanted.id !== chain.id) await ask(method, params)
        moveTo(wanted)
        return null
      }
      case 'wallet_addEthereumChain': {
        const asked = list[0] as { chainId: string; chainName?: string; rpcUrls?: string[] } | undefined
        const id = Number(asked?.chainId)
        const rpcUrl = asked?.rpcUrls?.[0]
        if (!asked || !Number.isSafeInteger(id) || !rpcUrl) throw new ProviderRpcError(-32602, 'Invalid parameters.')
        await ask(method, params)
        const next =
          chains.get(id) ??
          localChain({
            id,
            rpcUrl,
            ...(asked.chainName ? { name: asked.chainName } : {}),
          })
        if (!chains.has(id)) added.push(next)
        chains.set(id, next)
        moveTo(next)
        remember()
        return null
      }
      case 'wallet_watchAsset':
        await ask(method, params)
        return true
    }
    if (method.startsWith('wallet_') || method === 'eth_sign' || method === 'eth_subscribe' || prompting.has(method)) {
      throw new ProviderRpcError(4200, `The wallet does not support ${method}.`)
    }
    return pass(method, params)
  }

  function permissions(): unknown[] {
    return [
      {
        parentCapability: 'eth_accounts',
        caveats: [
          {
            type: 'restrictReturnedAccounts',
            value: accounts.map((one) => one.address),
          },
        ],
      },
    ]
  }

  function forget({ silently = false } = {}): void {
    const had = addresses().length > 0
    connected = false
    memory.clear()
    if (had && !silently) emit('accountsChanged', [])
  }

  function request(call: { method: string; params?: unknown }): Promise<unknown> {
    const { method, params } = call
    const index = requests.push({ method, params, outcome: dead ? 'lost' : 'waiting' }) - 1
    const settle = (outcome: LoggedRequest['outcome']): void => {
      requests[index] = { method, params, outcome }
    }
    if (dead) return new Promise(() => {})
    const born = deaths
    return new Promise((resolve, reject) => {
      const override = overrides.get(method)
      const run = async (): Promise<unknown> =>
        override ? override({ method, params }, () => answer(method, params)) : answer(method, params)
      const alive = (then: () => void, outcome: LoggedRequest['outcome']) => () => {
        if (dead || deaths !== born) return settle('lost')
        settle(outcome)
        then()
      }
      const late = (task: () => void): void => {
        if (delayMs === 0) task()
        else setTimeout(task, delayMs)
      }
      run().then(
        (value) => late(alive(() => resolve(value), 'answered')),
        (error: unknown) => late(alive(() => reject(error), 'failed')),
      )
    })
  }

  const provider: ScriptedProvider = {
    request,
    on(event, listener) {
      const set = listeners.get(event) ?? new Set()
      listeners.set(event, set.add(listener))
      return provider
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }

  const script: WalletScript = {
    requests,
    get waiting() {
      return held.map(({ prompt }) => prompt)
    },
    approve() {
      mode = 'approve'
      declined = new Set()
    },
    decline(method) {
      if (method) declined = new Set([...declined, method])
      else mode = 'decline'
    },
    delay(ms) {
      delayMs = ms
    },
    hold() {
      mode = 'hold'
    },
    release(how = 'approve') {
      mode = 'approve'
      const waiting = held
      held = []
      for (const { decide } of waiting) decide(how === 'approve')
    },
    lock() {
      const had = addresses().length > 0
      locked = true
      if (had) emit('accountsChanged', [])
    },
    unlock() {
      if (!locked) return
      locked = false
      if (connected) emit('accountsChanged', addresses())
    },
    setAccounts(next) {
      accounts = next.map((one) => {
        const account = typeof one === 'number' ? everyAccount[one] : one
        if (!account) throw new RangeError(`Unknown account ${String(one)}.`)
        return account
      })
      if (connected && !locked) emit('accountsChanged', addresses())
    },
    setChain(next) {
      const found = typeof next === 'number' ? chains.get(next) : next
      if (!found) throw new RangeError(`Unknown chain ${String(next)}.`)
      chains.set(found.id, found)
      moveTo(found)
    },
    forget,
    die() {
      dead = true
      deaths += 1
      held = []
    },
    revive() {
      dead = false
    },
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
    announce(target = globalThis as unknown as EventTarget) {
      const detail = Object.freeze({ info, provider })
      const announce = (): void => {
        target.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
      }
      target.addEventListener('eip6963:requestProvider', announce)
      announce()
      return () => target.removeEventListener('eip6963:requestProvider', announce)
    },
    inject(target = globalThis) {
      Object.defineProperty(target, 'ethereum', {
        value: provider,
        configurable: true,
        writable: true,
      })
      return () => {
        Reflect.deleteProperty(target, 'ethereum')
      }
    },
  }
}

interface Remembered {
  readonly connected: boolean
  readonly chainId: number
  readonly added: readonly LocalChain[]
}

function memoryOf(
  remember: ScriptedWalletOptions['remember'],
  key: string,
): {
  read(): Remembered | undefined
  write(value: Remembered): void
  clear(): void
} {
  const storage = remember === true ? globalThis.localStorage : remember || undefined
  return {
    read() {
      const text = storage?.getItem(key)
      return text ? (JSON.parse(text) as Remembered) : undefined
    },
    write: (value) => storage?.setItem(key, JSON.stringify(value)),
    clear: () => storage?.removeItem(key),
  }
}

function first(chains: ReadonlyMap<number, LocalChain>): LocalChain {
  for (const chain of chains.values()) return chain
  throw new TypeError('A scripted wallet needs at least one chain.')
}

function active(accounts: readonly LocalAccount[]): LocalAccount {
  const [account] = accounts
  if (!account) throw new TypeError('A scripted wallet needs at least one account.')
  return account
}
