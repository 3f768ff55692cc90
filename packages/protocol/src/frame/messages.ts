import * as v from 'valibot'
import { type ChainId, isNamespace, type Namespace, parseChainId } from '../caip.ts'
import { messageOf } from '../parseWithSchema.ts'
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

/** A request from the page. The response has the same `id`. */
export type RequestMessage<Name extends MethodName = MethodName> = {
  [Each in Name]: {
    readonly type: `${typeof appPrefix}${Each}`
    readonly id?: string | undefined
    readonly payload?: MethodParams<Each>
  }
}[Name]

/** Sent by the page to switch to a message port, if READY offered one. The port is transferred with this message. */
export interface PortMessage {
  /** Always `@w3m-app/PORT`. */
  readonly type: `${typeof appPrefix}PORT`
  /** Allowed in every message. Not used here, because this message has no response. */
  readonly id?: string | undefined
}

/** A message sent by older pages. It has no effect. */
export interface AwaitUpdateEmailMessage {
  /** Always `@w3m-app/AWAIT_UPDATE_EMAIL`. */
  readonly type: `${typeof appPrefix}AWAIT_UPDATE_EMAIL`
  /** Allowed in every message. Not used here, because this message has no response. */
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

/** An error response. It contains a message, which can be empty, but no error code. */
export type ErrorMessage<Name extends MethodName = MethodName> = {
  [Each in Name]: {
    readonly type: `${typeof framePrefix}${Each}_ERROR`
    readonly id?: string | undefined
    readonly payload: { readonly message: string }
  }
}[Name]

/** The payload of READY. Other vendors' frames omit the fields that they do not support. */
export interface ReadyPayload {
  /** The version of the frame protocol, such as `4`. Latchkey's pages reject frames whose version is a different integer. */
  readonly version?: string | undefined
  /**
   * The additional features that the frame supports:
   * - `port`: the frame prefers a MessagePort.
   * - `passkey`: the frame supports CONNECT_PASSKEY.
   * - `wallet`: the frame's origin has a page where users manage their keys.
   * - `window`: the frame is embedded in a cross-site page, where browsers do not keep its storage, and supports CONNECT_WINDOW.
   */
  readonly capabilities?: string[] | undefined
  /** `assisted` if the operator is able to sign on the user's behalf. Set by the operator, never by the page. */
  readonly custody?: string | undefined
  /** The available social logins, including `farcaster`. Absent if unknown. */
  readonly socials?: string[] | undefined
}

/** Announces that the frame is ready. Sent again after each reload. */
export interface ReadyMessage {
  /** Always `@w3m-frame/READY`. */
  readonly type: `${typeof framePrefix}READY`
  /** Allowed in every message. Not used here, because READY is not a response. */
  readonly id?: string | undefined
  /** The features that the frame supports. Required, but can be an empty object. */
  readonly payload: ReadyPayload
}

/** A message sent by older frames. It has no effect. */
export interface SessionUpdateMessage {
  /** Always `@w3m-frame/SESSION_UPDATE`. */
  readonly type: `${typeof framePrefix}SESSION_UPDATE`
  /** Allowed in every message. Not used here, because this message is not a response. */
  readonly id?: string | undefined
  /** A session token issued by the frame's vendor. Pages do not use it. */
  readonly payload: { readonly token: string }
}

/** A message from the frame. */
export type FrameMessage = SuccessMessage | ErrorMessage | ReadyMessage | SessionUpdateMessage

/** A parsed request. A `switch` on `name` narrows the type of `payload`. */
export type ReadRequest = {
  [Name in MethodName]: { readonly name: Name; readonly id: string | undefined; readonly payload: MethodParams<Name> }
}[MethodName]

/** The result of parsing a message from the page. A `foreign` message has no prefix or an unknown type, and should be ignored. */
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

// The `@__PURE__` annotations let bundlers drop these two lists, which are not used by any page.

/** All message types that a page can send, including PORT. */
export const appTypes: readonly AppMessage['type'][] = /* @__PURE__ */ (() => [
  ...questionNames.map((name) => `${appPrefix}${name}` as const),
  `${appPrefix}AWAIT_UPDATE_EMAIL` as const,
  `${appPrefix}PORT` as const,
])()

/** All message types that a frame can send. */
export const frameTypes: readonly FrameMessage['type'][] = /* @__PURE__ */ (() => [
  ...questionNames.flatMap((name) => [successType(name), errorType(name)]),
  `${framePrefix}READY` as const,
  `${framePrefix}SESSION_UPDATE` as const,
])()

const text = v.string()
const readyPayload = v.object({
  version: v.optional(text),
  // Invalid values are ignored rather than rejected, because other vendors' frames might use these fields differently.
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
  const read = validate<unknown>(methods[name].params, envelope.payload)
  if (!read.ok) return { kind: 'malformed', name, id, complaint: read.complaint }
  // The payload has been validated against the schema for this name, so the assertion is safe.
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
  const read = validate<unknown>(methods[name].result, payload)
  return read.ok
    ? { kind: 'answer', answer: { name, id, ok: true, payload: read.value } as ReadAnswer }
    : { kind: 'malformed', name, id, complaint: read.complaint }
}

/** Creates a successful response to a request, as in `answerTo(question, { isConnected: true })`. */
export function answerTo<Name extends MethodName>(
  params: { readonly name: Name; readonly id: string | undefined },
  payload: MethodResult<Name>,
): SuccessMessage<Name> {
  return { type: successType(params.name), ...optionalFields(params.id, payload) } as unknown as SuccessMessage<Name>
}

/** Creates an error response to a request. `message` is meant to be read by humans and can be empty. */
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

/** The error messages that a frame sends instead of EIP-1193 error codes. Clients, including Latchkey's, match on the text. */
export const frameTexts = {
  /** Sent if the user rejects an RPC request. Clients convert the message to `user/rejected`. */
  rejected: 'User rejected the request.',
  /** Sent if the page aborts an RPC request before the user approves it. Clients convert the message to `request/aborted`. */
  aborted: 'Request was aborted',
  /** Sent if the frame does not support the RPC method. Clients convert the message to `frame/not-allowed`. */
  notAllowed: 'Requested RPC call is not allowed',
  /** Sent if the input is not an email address, or the address cannot be used. */
  invalidEmail: 'Invalid email',
  /** Sent if the one-time code is wrong or does not have six digits. */
  invalidCode: 'Invalid code',
  /** Sent if passkeys do not work in this browser or on the operator's host. Clients convert it to `frame/no-passkeys`. */
  noPasskeys: 'There are no passkeys here',
  /** The beginning of the message for requests that failed because the frame's server did not respond. */
  serverAway: 'The wallet cannot reach its server',
} as const

/**
 * Converts a chain from a message to a CAIP-2 chain ID. Without a `namespace`, a number or a string of digits is treated as
 * EVM, and any other string without a colon is treated as Solana.
 */
export function chainFromWire(chain: WireChain, namespace?: Namespace): ChainId | undefined {
  const text = String(chain)
  if (text.includes(':')) {
    const parsed = parseChainId(text)
    return parsed && `${parsed.namespace}:${parsed.reference}`
  }
  if (namespace && isNamespace(namespace)) return `${namespace}:${text}`
  return /^\d+$/.test(text) ? `eip155:${text}` : `solana:${text}`
}

/** Converts an EVM chain ID to a number for use in a message. All other chain IDs are returned unchanged. */
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

/** Returns the envelope of a message if its type starts with `prefix`, otherwise `undefined`. */
function open(data: unknown, prefix: string): Envelope | undefined {
  try {
    if (typeof data !== 'object' || data === null) return undefined
    const { type, id, payload } = data as Readonly<Record<string, unknown>>
    if (typeof type !== 'string' || !type.startsWith(prefix)) return undefined
    if (id !== undefined && (typeof id !== 'string' || id.length > 128)) return undefined
    return { name: type.slice(prefix.length), id, payload }
  } catch {
    // A message from a window is a structured clone, so reading it cannot throw. Reading test data can.
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
    // A default message such as "Required" needs the path of the field. A custom message is clear without the path.
    const path = message === messageOf(issue) ? v.getDotPath(issue) : undefined
    return { ok: false, complaint: [path, message].filter(Boolean).join(': ') }
  } catch {
    return { ok: false, complaint: 'Invalid input' }
  }
}
