import {
  answerTo,
  type MethodName,
  type MethodParams,
  type ReadRequest,
  readAppMessage,
  refusalTo,
} from '@latchkey/protocol/frame/messages'
import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createFrameResponses, type FrameScript } from './frameResponses.ts'
import { testAccounts } from './testAccounts.ts'

/** Options for `scriptedFrame`. */
export interface ScriptedFrameOptions {
  /** The account that signs. Default: the first test account. */
  readonly account?: LocalAccount
  /** The email address of a user who is already logged in. By default, no user is logged in. */
  readonly user?: string
  /** The accepted login code. Default: `123456`. */
  readonly otp?: string
  /** Whether the frame offers a MessagePort, as the Latchkey frame does. By default, it uses only window messages. */
  readonly port?: boolean
  /** Whether to send READY as soon as there is a listener. Default: `true`. */
  readonly ready?: boolean
  /** Responses that replace the frame's own responses, keyed by method. */
  readonly script?: FrameScript
}

/** A simulated frame without a window, a server or secret keys. */
export interface ScriptedFrame {
  /** The page's end of the transport, for `createChannel`. */
  readonly transport: {
    post(message: unknown, transfer?: readonly Transferable[]): void
    subscribe(listener: (data: unknown) => void): () => void
  }
  /** Every request that the frame received, oldest first. */
  readonly requests: readonly ReadRequest[]
  /** The received messages that are not valid requests. */
  readonly rejected: readonly unknown[]
  /** The email address of the logged-in user, or `undefined` if no user is logged in. */
  readonly user: string | undefined
  /** Replaces the responses to these methods from now on. */
  script(answers: FrameScript): void
  /** Sends READY, even if it has already been sent. */
  ready(payload?: unknown): void
  /** Sends a window message, which does not have to be valid. */
  sendMessage(message: unknown): void
}

/**
 * Simulates the frame of an embedded wallet. Users log in by email, always with the same code, and requests are signed
 * immediately. For tests only, because the keys are public.
 *
 * @example
 * const frame = scriptedFrame({ otp: '000000' })
 * frame.script({ CONNECT_EMAIL: () => ({ action: 'CONNECT' }) })
 */
export function scriptedFrame(options: ScriptedFrameOptions = {}): ScriptedFrame {
  const { otp = '123456', port: offersPort = false, ready = true } = options
  const listeners = new Set<(data: unknown) => void>()
  const requests: ReadRequest[] = []
  const rejected: unknown[] = []
  const responses = createFrameResponses({
    account: options.account ?? privateKeyToAccount(testAccounts[0].privateKey),
    user: options.user,
    otp,
    reload: () => sendReady(),
  })
  let script: FrameScript = options.script ?? {}
  let port: MessagePort | undefined
  let hasSentReady = false

  const sendWindowMessage = (message: unknown) => {
    const copy: unknown = structuredClone(message)
    queueMicrotask(() => {
      for (const listener of [...listeners]) listener(copy)
    })
  }
  const send = (message: unknown) => {
    if (port) port.postMessage(message)
    else sendWindowMessage(message)
  }
  const sendReady = (payload: unknown = offersPort ? { version: '0.0.0', capabilities: ['port'] } : {}) => {
    hasSentReady = true
    port?.close()
    port = undefined
    sendWindowMessage({ type: '@w3m-frame/READY', payload })
  }

  const respond = async <Name extends MethodName>(name: Name, payload: MethodParams<Name>): Promise<unknown> => {
    const custom = script[name]
    return custom ? custom(payload) : responses.respond(name, payload)
  }

  const onMessage = (data: unknown, ports: readonly MessagePort[]) => {
    const read = readAppMessage(data)
    if (read.kind === 'port' && ports[0]) {
      port = ports[0]
      port.onmessage = (event: MessageEvent) => onMessage(event.data, [])
      return
    }
    if (read.kind === 'malformed') send(refusalTo(read, read.complaint))
    if (read.kind !== 'question') {
      rejected.push(data)
      return
    }
    const { question } = read
    requests.push(question)
    respond(question.name, question.payload as never).then(
      (result) => send(answerTo(question, result as never)),
      (error: unknown) => send(refusalTo(question, error instanceof Error ? error.message : '')),
    )
  }

  return {
    transport: {
      post(message, transfer = []) {
        const copy: unknown = structuredClone(message)
        // Ports are passed on unchanged, because they cannot be cloned.
        const ports = transfer.filter((item) => item instanceof MessagePort)
        queueMicrotask(() => onMessage(copy, ports))
      },
      subscribe(listener) {
        listeners.add(listener)
        if (ready && !hasSentReady) sendReady()
        return () => listeners.delete(listener)
      },
    },
    requests,
    rejected,
    get user() {
      return responses.user
    },
    script(answers) {
      script = { ...script, ...answers }
    },
    ready: sendReady,
    sendMessage: sendWindowMessage,
  }
}

/**
 * Simulates the frame inside the given window, for the page that embeds that window. Call it in the HTML page that a test loads
 * in the iframe.
 *
 * @example
 * playFrame(window, { otp: '000000' })
 */
export function playFrame(window: Window, options: ScriptedFrameOptions = {}): ScriptedFrame {
  const frame = scriptedFrame({ ...options, ready: false })
  let page: string | undefined = window.location.ancestorOrigins?.[0] ?? undefined
  frame.transport.subscribe((data) => {
    if (page) window.parent.postMessage(data, page)
  })
  window.addEventListener('message', ({ source, origin, data, ports }) => {
    if (source !== window.parent || (page && origin !== page)) return
    page ??= origin
    frame.transport.post(data, ports)
  })
  frame.ready()
  return frame
}
