import * as v from 'valibot'
import { type ChainId, isNamespace, type Namespace, parseChainId } from '../caip.ts'
import { messageOf } from '../schemas.ts'
import {
  type MethodName,
  type MethodParams,
  type MethodResult,
  methods,
  questionNames,
  type WireChain,
} from './frameMethods.ts'

export * from './frameMethods.ts'

/** The type prefix of messages from the page. */
export const appPrefix = '@w3m-app/'
/** The type prefix of messages from the frame. */
export const framePrefix = '@w3m-frame/'

/** A request from the page. The response has the same id. */
export type RequestMessage<Name extends MethodName = MethodName> = {
  [Each in Name]: {
    readonly type: `${typeof appPrefix}${Each}`
    readonly id?: string | undefined
    readonly payload?: MethodParams<Each>
  }
}[Name]

/** Accepts the port offered by READY. The port is transferred with this message. */
export interface PortMessage {
  /** Always `@w3m-app/PORT`. */
  readonly type: `${typeof appPrefix}PORT`
  /** Accepted in every message. Not used, because this one has no response. */
  readonly id?: string | undefined
}

/** A type sent by older pages, which has no effect. */
export interface AwaitUpdateEmailMessage {
  /** Always `@w3m-app/AWAIT_UPDATE_EMAIL`. */
  readonly type: `${typeof appPrefix}AWAIT_UPDATE_EMAIL`
  /** Accepted in every message. Not used, because this one has no response. */
  readonly id?: string | undefined
}

/** A message from the page. */
export type AppMessage = RequestMessage | PortMessage | AwaitUpdateEmailMessage

/** A successful response. */
export type SuccessMessage<Name extends MethodName = MethodName> = {
  [Each in Name]: {
    readonly type: `${typeof framePrefix}${Each}_SUCCESS`
    readonly id?: string | undefined
    readonly payload?: MethodResult<Each>
  }
}[Name]

/** An error response. It has a message, which can be empty, but no code. */
export type ErrorMessage<Name extends MethodName = MethodName> = {
  [Each in Name]: {
    readonly type: `${typeof framePrefix}${Each}_ERROR`
    readonly id?: string | undefined
    readonly payload: { readonly message: string }
  }
}[Name]

/** The payload of READY. Other vendors' frames omit the fields that they do not know. */
export interface ReadyPayload {
  /** The version of the frame protocol, such as `4`. Latchkey's pages reject frames with another whole number. */
  readonly version?: string | undefined
  /**
   * The frame's additional features. `port`: it prefers a MessagePort. `passkey`: it supports CONNECT_PASSKEY. `wallet`: its origin has a page where
   * users manage their keys. `window`: it is on a cross-site page, where browsers do not keep its storage, and supports CONNECT_WINDOW.
   */
  readonly capabilities?: string[] | undefined
  /** `assisted` if the operator can sign. Set by the operator, never by the page. */
  readonly custody?: string | undefined
  /** The available social logins, including `farcaster`. Absent if the frame does not know. */
  readonly socials?: string[] | undefined
}

/** The frame is ready. Sent again after each reload. */
export interface ReadyMessage {
  /** Always `@w3m-frame/READY`. */
  readonly type: `${typeof framePrefix}READY`
  /** Accepted in every message. Not used, because READY is not a response. */
  readonly id?: string | undefined
  /** What the frame supports. Required, but can be an empty object. */
  readonly payload: ReadyPayload
}

/** Sent by older frames. It has no effect. */
export interface SessionUpdateMessage {
  /** Always `@w3m-frame/SESSION_UPDATE`. */
  readonly type: `${typeof framePrefix}SESSION_UPDATE`
  /** Accepted in every message. Not used, because this is not a response. */
  readonly id?: string | undefined
  /** A session token of the frame's vendor. Pages do not use it. */
  readonly payload: { readonly token: string }
}

/** A message from the frame. */
export type FrameMessage = SuccessMessage | ErrorMessage | ReadyMessage | SessionUpdateMessage

/** A parsed request. Its name is separate from the payload, for use in a `switch`. */
export type ReadRequest = {
  [Name in MethodName]: { readonly name: Name; readonly id: string | undefined; readonly payload: MethodParams<Name> }
}[MethodName]

/** The result of parsing a message from the page. `foreign` messages lack the prefix or have an unknown type, and are ignored. */
export type ReadAppMessage =
  | { readonly kind: 'question'; readonly question: ReadRequest }
  | { readonly kind: 'port' }
  | {
      readonly kind: 'malformed'
      readonly name: MethodName
      readonly id: string | undefined
      readonly complaint: string
    }
  | { readonly kind: 'foreign' }

/** A parsed response. */
export type ReadAnswer =
  | {
      [Name in MethodName]: {
        readonly name: Name
        readonly id: string | undefined
        readonly ok: true
        readonly payload: MethodResult<Name>
      }
    }[MethodName]
  | { readonly name: MethodName; readonly id: string | undefined; readonly ok: false; readonly message: string }

/** The result of parsing a message from the frame. */
export type ReadFrameMessage =
  | { readonly kind: 'answer'; readonly answer: ReadAnswer }
  | { readonly kind: 'ready'; readonly payload: ReadyPayload }
  | { readonly kind: 'session'; readonly token: string }
  | {
      readonly kind: 'malformed'
      readonly name: MethodName | 'READY' | 'SESSION_UPDATE'
      readonly id: string | undefined
      readonly complaint: string
    }
  | { readonly kind: 'foreign' }

// The annotations let bundlers remove the lists, which no page uses.

/** All message types that a page can send: the 24 in the specification, and PORT. */
export const appTypes: readonly AppMessage['type'][] = /* @__PURE__ */ (() => [
  ...questionNames.map((name) => `${appPrefix}${name}` as const),
  `${appPrefix}AWAIT_UPDATE_EMAIL` as const,
  `${appPrefix}PORT` as const,
])()

/** All 48 message types that a frame can send. */
export const frameTypes: readonly FrameMessage['type'][] = /* @__PURE__ */ (() => [
  ...questionNames.flatMap((name) => [successType(name), errorType(name)]),
  `${framePrefix}READY` as const,
  `${framePrefix}SESSION_UPDATE` as const,
])()

const text = v.string()
const readyPayload = v.object({
  version: v.optional(text),
  // Tolerates other values, because frames of other vendors can use these fields differently.
  capabilities: v.fallback(v.optional(v.array(text)), undefined),
  custody: v.fallback(v.optional(text), undefined),
  socials: v.fallback(v.optional(v.array(text)), undefined),
})
const sessionPayload = v.object({ token: text })
const errorPayload = v.object({ message: v.string() })

/**
 * Parses any message received by the frame. Never throws.
 *
 * @example
 * const message = readAppMessage(event.data)
 * if (message.kind === 'question' && message.question.name === 'GET_CHAIN_ID') post(answerTo(message.question, { chainId: 1 }))
 */
export function readAppMessage(data: unknown): ReadAppMessage {
  const envelope = open(data, appPrefix)
  if (envelope?.name === 'PORT') return { kind: 'port' }
  if (!envelope || !isQuestionName(envelope.name)) return { kind: 'foreign' }
  const { name, id } = envelope
  const read = validate<unknown>(methods[name].says, envelope.payload)
  if (!read.ok) return { kind: 'malformed', name, id, complaint: read.complaint }
  // The table has the schema for exactly this name.
  return { kind: 'question', question: { name, id, payload: read.value } as ReadRequest }
}

/**
 * Parses any message received by the page. Never throws.
 *
 * @example
 * const message = readFrameMessage(event.data)
 * if (message.kind === 'ready') start(message.payload.capabilities)
 */
export function readFrameMessage(data: unknown): ReadFrameMessage {
  const envelope = open(data, framePrefix)
  if (!envelope) return { kind: 'foreign' }
  const { name: type, id, payload } = envelope
  if (type === 'READY') {
    const read = validate(readyPayload, payload)
    return read.ok
      ? { kind: 'ready', payload: read.value }
      : { kind: 'malformed', name: type, id, complaint: read.complaint }
  }
  if (type === 'SESSION_UPDATE') {
    const read = validate(sessionPayload, payload)
    return read.ok
      ? { kind: 'session', token: read.value.token }
      : { kind: 'malformed', name: type, id, complaint: read.complaint }
  }
  const [, name = '', end] = /^(.+)_(SUCCESS|ERROR)$/.exec(type) ?? []
  if (!isQuestionName(name)) return { kind: 'foreign' }
  if (end === 'ERROR') {
    const read = validate(errorPayload, payload)
    return read.ok
      ? { kind: 'answer', answer: { name, id, ok: false, message: read.value.message.slice(0, 500) } }
      : { kind: 'malformed', name, id, complaint: read.complaint }
  }
  const read = validate<unknown>(methods[name].answer, payload)
  return read.ok
    ? { kind: 'answer', answer: { name, id, ok: true, payload: read.value } as ReadAnswer }
    : { kind: 'malformed', name, id, complaint: read.complaint }
}

/** Creates a successful response to a request: `answerTo(question, { isConnected: true })`. */
export function answerTo<Name extends MethodName>(
  params: { readonly name: Name; readonly id: string | undefined },
  payload: MethodResult<Name>,
): SuccessMessage<Name> {
  return { type: successType(params.name), ...optionalFields(params.id, payload) } as unknown as SuccessMessage<Name>
}

/** Creates an error response to a request. `message` is meant for people and can be empty. */
export function refusalTo<Name extends MethodName>(
  params: { readonly name: Name; readonly id: string | undefined },
  message: string,
): ErrorMessage<Name> {
  return { type: errorType(params.name), ...optionalFields(params.id, { message }) } as unknown as ErrorMessage<Name>
}

/** Creates a request message. */
export function questionOf<Name extends MethodName>(
  name: Name,
  id: string,
  payload: MethodParams<Name>,
): RequestMessage<Name> {
  return { type: `${appPrefix}${name}`, ...optionalFields(id, payload) } as unknown as RequestMessage<Name>
}

/** The error texts that a frame sends in place of EIP-1193 codes. Clients, including Latchkey's, match on them. */
export const frameTexts = {
  /** The user rejected an RPC request: `user/rejected`. */
  rejected: 'User rejected the request.',
  /** The page aborted an RPC request before the user approved it: `request/aborted`. */
  aborted: 'Request was aborted',
  /** The frame does not support the RPC method: `frame/not-allowed`. */
  notAllowed: 'Requested RPC call is not allowed',
  /** The text is not an email address, or cannot be used. */
  invalidEmail: 'Invalid email',
  /** The one-time code is wrong, or does not have six digits. */
  invalidCode: 'Invalid code',
  /** The start of the message for requests that failed because the frame's server did not respond. */
  serverAway: 'The wallet cannot reach its server',
} as const

/** Converts a chain from a message to a CAIP-2 chain ID: a number or a string of digits is EVM; any other text without
 * a colon is Solana. */
export function chainFromWire(chain: WireChain, namespace?: Namespace): ChainId | undefined {
  const text = String(chain)
  if (text.includes(':')) {
    const parsed = parseChainId(text)
    return parsed && `${parsed.namespace}:${parsed.reference}`
  }
  if (namespace && isNamespace(namespace)) return `${namespace}:${text}`
  return /^\d+$/.test(text) ? `eip155:${text}` : `solana:${text}`
}

/** Converts a chain ID for use in a response: a number on EVM, otherwise CAIP-2. */
export function chainToWire(chain: ChainId): WireChain {
  const number = /^eip155:(\d{1,15})$/.exec(chain)?.[1]
  return number === undefined ? chain : Number(number)
}

/** Returns the type of a successful response to `name`. */
export function successType<Name extends MethodName>(name: Name): `${typeof framePrefix}${Name}_SUCCESS` {
  return `${framePrefix}${name}_SUCCESS`
}

/** Returns the type of an error response to `name`. */
export function errorType<Name extends MethodName>(name: Name): `${typeof framePrefix}${Name}_ERROR` {
  return `${framePrefix}${name}_ERROR`
}

function isQuestionName(name: string): name is MethodName {
  return Object.hasOwn(methods, name)
}

function optionalFields(id: string | undefined, payload: unknown) {
  return { ...(id !== undefined && { id }), ...(payload !== undefined && { payload }) }
}

interface Envelope {
  /** The type without its prefix. */
  readonly name: string
  readonly id: string | undefined
  readonly payload: unknown
}

/** Returns the envelope of a message whose type starts with `prefix`. */
function open(data: unknown, prefix: string): Envelope | undefined {
  try {
    if (typeof data !== 'object' || data === null) return undefined
    const { type, id, payload } = data as Readonly<Record<string, unknown>>
    if (typeof type !== 'string' || !type.startsWith(prefix)) return undefined
    if (id !== undefined && (typeof id !== 'string' || id.length > 128)) return undefined
    return { name: type.slice(prefix.length), id, payload }
  } catch {
    // Data from a window is a clone and cannot throw when read, but test data can.
    return undefined
  }
}

function validate<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
): { readonly ok: true; readonly value: Output } | { readonly ok: false; readonly complaint: string } {
  try {
    const result = v.safeParse(schema, value, { abortEarly: true, message: messageOf })
    if (result.success) return { ok: true, value: result.output }
    const [issue] = result.issues
    const { message } = issue
    // A custom message is more specific than "Expected …", so add its path.
    const path = message === messageOf(issue) ? v.getDotPath(issue) : undefined
    return { ok: false, complaint: [path, message].filter(Boolean).join(': ') }
  } catch {
    return { ok: false, complaint: 'Invalid input' }
  }
}
