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

/** What every type of a message from the page starts with. */
export const appPrefix = '@w3m-app/'
/** What every type of a message from the frame starts with. */
export const framePrefix = '@w3m-frame/'

/** A question as the page sends it; the id is echoed by its answer. */
export type RequestMessage<Name extends MethodName = MethodName> = {
  [Each in Name]: {
    readonly type: `${typeof appPrefix}${Each}`
    readonly id?: string | undefined
    readonly payload?: MethodParams<Each>
  }
}[Name]

/** The page takes the port that READY offered; the port travels beside the message. */
export interface PortMessage {
  readonly type: `${typeof appPrefix}PORT`
  readonly id?: string | undefined
}

/** A type of older pages: known, without meaning. */
export interface AwaitUpdateEmailMessage {
  readonly type: `${typeof appPrefix}AWAIT_UPDATE_EMAIL`
  readonly id?: string | undefined
}

/** Whatever a page may say. */
export type AppMessage = RequestMessage | PortMessage | AwaitUpdateEmailMessage

/** The good answer to a question. */
export type SuccessMessage<Name extends MethodName = MethodName> = {
  [Each in Name]: {
    readonly type: `${typeof framePrefix}${Each}_SUCCESS`
    readonly id?: string | undefined
    readonly payload?: MethodResult<Each>
  }
}[Name]

/** The other answer: no code travels, only a text, "" for none. */
export type ErrorMessage<Name extends MethodName = MethodName> = {
  [Each in Name]: {
    readonly type: `${typeof framePrefix}${Each}_ERROR`
    readonly id?: string | undefined
    readonly payload: { readonly message: string }
  }
}[Name]

/** What READY says: plain frames leave out what they do not know. */
export interface ReadyPayload {
  readonly version?: string | undefined
  /**
   * What this frame can beyond the plain wire. `port`: it would rather talk over a MessagePort. `passkey`: it may be asked
   * CONNECT_PASSKEY. `wallet`: its origin has a page of its own where owners look after their keys. `window`: it stands on a page of another
   * site, where browsers keep nothing for it, and may be asked CONNECT_WINDOW.
   */
  readonly capabilities?: string[] | undefined
  /** `assisted` where the operator could sign (decisions: never an option of the page). */
  readonly custody?: string | undefined
  /** The social log-ins that work here, `farcaster` among them; absent where the frame does not know. */
  readonly socials?: string[] | undefined
}

/** The frame listens. It comes again after each reload. */
export interface ReadyMessage {
  readonly type: `${typeof framePrefix}READY`
  readonly id?: string | undefined
  readonly payload: ReadyPayload
}

/** Of older frames; nothing follows from it. */
export interface SessionUpdateMessage {
  readonly type: `${typeof framePrefix}SESSION_UPDATE`
  readonly id?: string | undefined
  readonly payload: { readonly token: string }
}

/** Whatever a frame may say. */
export type FrameMessage = SuccessMessage | ErrorMessage | ReadyMessage | SessionUpdateMessage

/** A question that was read: its name beside the message, for a `switch`. */
export type ReadRequest = {
  [Name in MethodName]: { readonly name: Name; readonly id: string | undefined; readonly payload: MethodParams<Name> }
}[MethodName]

/** What became of a message from the page. `foreign`: not ours, or of a type that nobody knows; it is dropped. */
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

/** An answer that was read. */
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

/** What became of a message from the frame. */
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

/** Every type that a page may send: 24 of the specification, and PORT. */
export const appTypes: readonly AppMessage['type'][] = [
  ...questionNames.map((name) => `${appPrefix}${name}` as const),
  `${appPrefix}AWAIT_UPDATE_EMAIL`,
  `${appPrefix}PORT`,
]

/** Every type that a frame may send: 48 of them. */
export const frameTypes: readonly FrameMessage['type'][] = [
  ...questionNames.flatMap((name) => [successType(name), errorType(name)]),
  `${framePrefix}READY`,
  `${framePrefix}SESSION_UPDATE`,
]

const text = v.string()
const readyPayload = v.object({
  version: v.optional(text),
  // A frame of another make may advertise in its own words: those are not ours to refuse.
  capabilities: v.fallback(v.optional(v.array(text)), undefined),
  custody: v.fallback(v.optional(text), undefined),
  socials: v.fallback(v.optional(v.array(text)), undefined),
})
const sessionPayload = v.object({ token: text })
const errorPayload = v.object({ message: v.string() })

/** Reads whatever a window or a port delivered to the frame. Never throws. */
export function readAppMessage(data: unknown): ReadAppMessage {
  const envelope = open(data, appPrefix)
  if (envelope?.name === 'PORT') return { kind: 'port' }
  if (!envelope || !isQuestionName(envelope.name)) return { kind: 'foreign' }
  const { name, id } = envelope
  const read = look<unknown>(methods[name].says, envelope.payload)
  if (!read.ok) return { kind: 'malformed', name, id, complaint: read.complaint }
  // The table holds the schema of just this name.
  return { kind: 'question', question: { name, id, payload: read.value } as ReadRequest }
}

/** Reads whatever a window or a port delivered to the page. Never throws. */
export function readFrameMessage(data: unknown): ReadFrameMessage {
  const envelope = open(data, framePrefix)
  if (!envelope) return { kind: 'foreign' }
  const { name: type, id, payload } = envelope
  if (type === 'READY') {
    const read = look(readyPayload, payload)
    return read.ok
      ? { kind: 'ready', payload: read.value }
      : { kind: 'malformed', name: type, id, complaint: read.complaint }
  }
  if (type === 'SESSION_UPDATE') {
    const read = look(sessionPayload, payload)
    return read.ok
      ? { kind: 'session', token: read.value.token }
      : { kind: 'malformed', name: type, id, complaint: read.complaint }
  }
  const [, name = '', end] = /^(.+)_(SUCCESS|ERROR)$/.exec(type) ?? []
  if (!isQuestionName(name)) return { kind: 'foreign' }
  if (end === 'ERROR') {
    const read = look(errorPayload, payload)
    return read.ok
      ? { kind: 'answer', answer: { name, id, ok: false, message: read.value.message.slice(0, 500) } }
      : { kind: 'malformed', name, id, complaint: read.complaint }
  }
  const read = look<unknown>(methods[name].answer, payload)
  return read.ok
    ? { kind: 'answer', answer: { name, id, ok: true, payload: read.value } as ReadAnswer }
    : { kind: 'malformed', name, id, complaint: read.complaint }
}

/** The good answer to what was asked: `answerTo(question, { isConnected: true })`. */
export function answerTo<Name extends MethodName>(
  params: { readonly name: Name; readonly id: string | undefined },
  payload: MethodResult<Name>,
): SuccessMessage<Name> {
  return { type: successType(params.name), ...said(params.id, payload) } as unknown as SuccessMessage<Name>
}

/** The other answer to what was asked; `message` is read by a person, and "" is none. */
export function refusalTo<Name extends MethodName>(
  params: { readonly name: Name; readonly id: string | undefined },
  message: string,
): ErrorMessage<Name> {
  return { type: errorType(params.name), ...said(params.id, { message }) } as unknown as ErrorMessage<Name>
}

/** A question as it is sent. */
export function questionOf<Name extends MethodName>(
  name: Name,
  id: string,
  payload: MethodParams<Name>,
): RequestMessage<Name> {
  return { type: `${appPrefix}${name}`, ...said(id, payload) } as unknown as RequestMessage<Name>
}

/** What a frame says in place of EIP-1193's codes: texts that pages, ours and others, understand. */
export const frameTexts = {
  rejected: 'User rejected the request.',
  aborted: 'Request was aborted',
  notAllowed: 'Requested RPC call is not allowed',
  invalidEmail: 'Invalid email',
  invalidCode: 'Invalid code',
  /** Begins the sentence for every question that only the frame's server could have answered, and did not. */
  serverAway: 'The wallet cannot reach its server',
} as const

/** The CAIP-2 id that a travelling chain means: numbers and digits are EVM, any other bare text is Solana. */
export function chainFromWire(said: WireChain, namespace?: Namespace): ChainId | undefined {
  const text = String(said)
  if (text.includes(':')) {
    const parsed = parseChainId(text)
    return parsed && `${parsed.namespace}:${parsed.reference}`
  }
  if (namespace && isNamespace(namespace)) return `${namespace}:${text}`
  return /^\d+$/.test(text) ? `eip155:${text}` : `solana:${text}`
}

/** How a frame names `chain` in an answer: a number for EVM, else the CAIP-2 text. */
export function chainToWire(chain: ChainId): WireChain {
  const number = /^eip155:(\d{1,15})$/.exec(chain)?.[1]
  return number === undefined ? chain : Number(number)
}

/** The type of the good answer to `name`. */
export function successType<Name extends MethodName>(name: Name): `${typeof framePrefix}${Name}_SUCCESS` {
  return `${framePrefix}${name}_SUCCESS`
}

/** The type of the other answer to `name`. */
export function errorType<Name extends MethodName>(name: Name): `${typeof framePrefix}${Name}_ERROR` {
  return `${framePrefix}${name}_ERROR`
}

function isQuestionName(name: string): name is MethodName {
  return Object.hasOwn(methods, name)
}

function said(id: string | undefined, payload: unknown) {
  return { ...(id !== undefined && { id }), ...(payload !== undefined && { payload }) }
}

interface Envelope {
  /** The type without its prefix. */
  readonly name: string
  readonly id: string | undefined
  readonly payload: unknown
}

/** The envelope of a message of ours; the prefix stands at the start, not somewhere. */
function open(data: unknown, prefix: string): Envelope | undefined {
  try {
    if (typeof data !== 'object' || data === null) return undefined
    const { type, id, payload } = data as Readonly<Record<string, unknown>>
    if (typeof type !== 'string' || !type.startsWith(prefix)) return undefined
    if (id !== undefined && (typeof id !== 'string' || id.length > 128)) return undefined
    return { name: type.slice(prefix.length), id, payload }
  } catch {
    // What a window delivers is a clone and cannot throw when read; what a test hands over can.
    return undefined
  }
}

function look<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
): { readonly ok: true; readonly value: Output } | { readonly ok: false; readonly complaint: string } {
  try {
    const result = v.safeParse(schema, value, { abortEarly: true, message: messageOf })
    if (result.success) return { ok: true, value: result.output }
    const [issue] = result.issues
    const { message } = issue
    // A text of our own says more than "Expected …", and where it is.
    const path = message === messageOf(issue) ? v.getDotPath(issue) : undefined
    return { ok: false, complaint: [path, message].filter(Boolean).join(': ') }
  } catch {
    return { ok: false, complaint: 'Invalid input' }
  }
}
