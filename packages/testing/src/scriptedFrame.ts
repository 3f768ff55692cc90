import {
  answerTo,
  frameTexts,
  type MethodName,
  type MethodParams,
  type MethodResult,
  type ReadRequest,
  readAppMessage,
  refusalTo,
} from '@latchkey/protocol/frame/messages'
import { methodClass } from '@latchkey/protocol/frame/rpcMethods'
import { type Hex, isHex, type LocalAccount, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { testAccounts } from './testAccounts.ts'

/** A custom response to a method. Throw to return an error. Return a promise that never settles to simulate a hanging frame. */
export type FrameAnswer<Name extends MethodName> = (
  payload: MethodParams<Name>,
) => MethodResult<Name> | Promise<MethodResult<Name>>

/** Custom responses by method. */
export type FrameScript = { readonly [Name in MethodName]?: FrameAnswer<Name> }

/** Options of `scriptedFrame`. */
export interface ScriptedFrameOptions {
  /** [the first test account] */
  readonly account?: LocalAccount
  /** The email address of a logged-in user. [none: the user has to log in] */
  readonly user?: string
  /** The accepted login code. [123456] */
  readonly otp?: string
  /** Whether it offers a MessagePort, as the Latchkey frame does. [false: it only uses window messages] */
  readonly port?: boolean
  /** Whether to send READY as soon as there is a listener. [true] */
  readonly ready?: boolean
  readonly script?: FrameScript
}

/** A simulated frame without a window, a server or secret keys. */
export interface ScriptedFrame {
  /** The page's end of the transport, for `createChannel`. */
  readonly pipe: {
    post(message: unknown, transfer?: readonly Transferable[]): void
    subscribe(listener: (data: unknown) => void): () => void
  }
  /** Every request that it received, oldest first. */
  readonly asked: readonly ReadRequest[]
  /** Everything else that it received. */
  readonly refused: readonly unknown[]
  /** The email address of the logged-in user. */
  readonly user: string | undefined
  /** Replaces responses from now on. */
  script(answers: FrameScript): void
  /** Sends READY, even if it was sent before. */
  ready(payload?: unknown): void
  /** Sends any window message, valid or not. */
  say(message: unknown): void
}

/** Simulates an embedded wallet's frame: logs in by email with a single code and signs immediately. For tests only: its keys are public. */
export function scriptedFrame(options: ScriptedFrameOptions = {}): ScriptedFrame {
  const { otp = '123456', port: offersPort = false, ready = true } = options
  const account = options.account ?? privateKeyToAccount(testAccounts[0].privateKey)
  const listeners = new Set<(data: unknown) => void>()
  const asked: ReadRequest[] = []
  const refused: unknown[] = []
  let script: FrameScript = options.script ?? {}
  let user = options.user
  let pendingEmail: string | undefined
  let chainId: string | number = 1
  let port: MessagePort | undefined
  let saidReady = false

  const say = (message: unknown) => {
    const copy: unknown = structuredClone(message)
    queueMicrotask(() => {
      for (const listener of [...listeners]) listener(copy)
    })
  }
  const reply = (message: unknown) => {
    if (port) port.postMessage(message)
    else say(message)
  }
  const sayReady = (payload: unknown = offersPort ? { version: '0.0.0', capabilities: ['port'] } : {}) => {
    saidReady = true
    port?.close()
    port = undefined
    say({ type: '@w3m-frame/READY', payload })
  }
  const whoAmI = () => {
    if (user === undefined) throw new Error('Not logged in.')
    return {
      address: account.address,
      chainId,
      email: user,
      accounts: [{ address: account.address, type: 'eoa' as const }],
      preferredAccountType: 'eoa',
    }
  }
  const move = (said: { chainId?: string | number | undefined } | undefined) => {
    const text = String(said?.chainId ?? chainId)
    const evm = /^(?:eip155:)?(\d+)$/.exec(text)?.[1]
    chainId = evm === undefined ? text : Number(evm)
  }

  const usual: { readonly [Name in MethodName]: FrameAnswer<Name> } = {
    SWITCH_NETWORK: (said) => {
      move(said)
      return { chainId }
    },
    CONNECT_EMAIL: ({ email }) => {
      pendingEmail = email
      return { action: 'VERIFY_OTP' }
    },
    CONNECT_DEVICE: () => undefined,
    CONNECT_OTP: (said) => {
      if (said.otp !== otp || pendingEmail === undefined) throw new Error(frameTexts.invalidCode)
      user = pendingEmail
    },
    CONNECT_PASSKEY: () => {
      user = 'ada@example.org'
    },
    CONNECT_WINDOW: (said) => {
      user = said?.email ?? 'ada@example.org'
      return said?.provider && { provider: said.provider, userName: 'ada' }
    },
    CONNECT_SOCIAL: (said) => {
      user = 'ada@example.org'
      move(said)
      return { ...whoAmI(), userName: 'ada' }
    },
    GET_SOCIAL_REDIRECT_URI: ({ provider }) => ({ uri: `https://login.example/authorize?provider=${provider}` }),
    GET_FARCASTER_URI: () => ({ url: 'https://farcaster.example/connect?channel=1' }),
    CONNECT_FARCASTER: () => {
      user = 'ada@example.org'
      return { userName: 'ada' }
    },
    GET_USER: (said) => {
      move(said)
      return whoAmI()
    },
    SIGN_OUT: () => {
      user = undefined
    },
    IS_CONNECTED: () => ({ isConnected: user !== undefined }),
    GET_CHAIN_ID: () => ({ chainId }),
    GET_SMART_ACCOUNT_ENABLED_NETWORKS: () => ({ smartAccountEnabledNetworks: [1, 31337] }),
    INIT_SMART_ACCOUNT: () => ({ address: account.address, isDeployed: false }),
    SET_PREFERRED_ACCOUNT: ({ type }) => ({ type, address: account.address }),
    RPC_REQUEST: ({ method, params }) => sign(account, method, params),
    RPC_ABORT: () => undefined,
    UPDATE_EMAIL: ({ email }) => {
      pendingEmail = email
      return { action: 'VERIFY_PRIMARY_OTP' }
    },
    UPDATE_EMAIL_PRIMARY_OTP: (said) => {
      if (said.otp !== otp) throw new Error(frameTexts.invalidCode)
    },
    UPDATE_EMAIL_SECONDARY_OTP: (said) => {
      if (said.otp !== otp || pendingEmail === undefined) throw new Error(frameTexts.invalidCode)
      user = pendingEmail
      return { newEmail: pendingEmail }
    },
    SYNC_THEME: () => undefined,
    SYNC_DAPP_DATA: () => undefined,
    RELOAD: () => {
      queueMicrotask(() => queueMicrotask(() => sayReady()))
    },
  }

  const hear = (data: unknown, ports: readonly MessagePort[]) => {
    const read = readAppMessage(data)
    if (read.kind === 'port' && ports[0]) {
      port = ports[0]
      port.onmessage = (event: MessageEvent) => hear(event.data, [])
      return
    }
    if (read.kind === 'malformed') reply(refusalTo(read, read.complaint))
    if (read.kind !== 'question') {
      refused.push(data)
      return
    }
    const { question } = read
    asked.push(question)
    const { name, payload } = question
    // The mapped type pairs each name with its payload.
    const answers = (script[name] ?? usual[name]) as (payload: unknown) => unknown
    new Promise((resolve) => resolve(answers(payload))).then(
      (said) => reply(answerTo(question, said as never)),
      (error: unknown) => reply(refusalTo(question, error instanceof Error ? error.message : '')),
    )
  }

  return {
    pipe: {
      post(message, transfer = []) {
        const copy: unknown = structuredClone(message)
        // A port is passed on as is, since a clone would need both ends here.
        const ports = transfer.filter((each) => each instanceof MessagePort)
        queueMicrotask(() => hear(copy, ports))
      },
      subscribe(listener) {
        listeners.add(listener)
        if (ready && !saidReady) sayReady()
        return () => listeners.delete(listener)
      },
    },
    asked,
    refused,
    get user() {
      return user
    },
    script(answers) {
      script = { ...script, ...answers }
    },
    ready: sayReady,
    say,
  }
}

/** Simulates the frame inside the given window, for the page that embeds it. Use it in a test's HTML page. */
export function playFrame(window: Window, options: ScriptedFrameOptions = {}): ScriptedFrame {
  const frame = scriptedFrame({ ...options, ready: false })
  let page: string | undefined = window.location.ancestorOrigins?.[0] ?? undefined
  frame.pipe.subscribe((data) => {
    if (page) window.parent.postMessage(data, page)
  })
  window.addEventListener('message', ({ source, origin, data, ports }) => {
    if (source !== window.parent || (page && origin !== page)) return
    page ??= origin
    frame.pipe.post(data, ports)
  })
  frame.ready()
  return frame
}

async function sign(account: LocalAccount, method: string, params: unknown): Promise<unknown> {
  if (methodClass(method) === 'refused') throw new Error(frameTexts.notAllowed)
  const [first, second] = Array.isArray(params) ? (params as readonly unknown[]) : []
  if (method === 'personal_sign') {
    const text = String(first)
    return account.signMessage({ message: { raw: isHex(text) ? text : stringToHex(text) } })
  }
  if (method === 'eth_signTypedData_v4') {
    const data: unknown = typeof second === 'string' ? JSON.parse(second) : second
    return account.signTypedData(data as Parameters<LocalAccount['signTypedData']>[0])
  }
  if (method === 'eth_sendTransaction') return `0x${'ab'.repeat(32)}` satisfies Hex
  if (method === 'eth_getBalance') return '0x0'
  if (method === 'wallet_getCapabilities') return { '0x1': { atomic: { status: 'unsupported' } } }
  throw new Error('Not scripted')
}
