import { parseChainId } from '@latchkey/protocol/caip'
import {
  methods,
  type RpcRequest,
  type SocialName,
  type ThemeData,
  type WireAccountType,
} from '@latchkey/protocol/frame/messages'
import { socialProviders } from '@latchkey/protocol/http/keys'
import * as v from 'valibot'
import type { ApprovalWindowState } from '../approvals/approvalWindowState.ts'
import type { CallBatch } from '../rpcRequests/callBatch.ts'

/** A request that a frame on a cross-site page hands over to a window of the frame's origin. */
export interface HandoverRequest {
  readonly version: 1
  /** A login, or a wallet request that requires approval. */
  readonly action:
    | {
        readonly kind: 'connect'
        readonly email?: string | undefined
        /** The social provider that the user chose on the page. */
        readonly provider?: SocialName | undefined
      }
    | { readonly kind: 'request'; readonly userId: string; readonly email: string | null; readonly request: RpcRequest }
  /** The page's origin, as reported to the frame by the browser. */
  readonly origin: string
  readonly theme: ThemeData
  readonly language: string
  /** The account type that the page chose for EVM networks. */
  readonly accountType: WireAccountType
}

/** A login through a window, as stored by the frame. It does not include any keys. */
export interface WindowConnection {
  readonly token: string
  readonly userId: string
  readonly email: string | null
  readonly addresses: { readonly eip155: string; readonly solana: string }
  /** Whether the account has only one key, so that losing the key could mean losing the account. */
  readonly single: boolean
}

/** The window's response. */
export type HandoverResponse =
  | {
      readonly kind: 'connected'
      readonly connection: WindowConnection
      /** The social provider, if the user just logged in with one. */
      readonly social?: { readonly provider: SocialName; readonly userName: string | null } | undefined
    }
  | {
      readonly kind: 'done'
      readonly result: unknown
      readonly single: boolean
      /** A call batch whose status the page can request from the frame later. */
      readonly batch?: readonly [string, CallBatch] | undefined
    }
  | { readonly kind: 'refused'; readonly message: string }

const social = v.picklist([...socialProviders, 'farcaster'])
const origin = v.pipe(v.string(), v.regex(/^https?:\/\/[^/]{1,255}$/))
const accountType = v.picklist(['eoa', 'smartAccount'])

/** Parses a handover request. The wallet request in it is validated in the same way as a request from a page. */
export const handoverRequestSchema: v.GenericSchema<unknown, HandoverRequest> = v.object({
  version: v.literal(1),
  action: v.variant('kind', [
    v.object({ kind: v.literal('connect'), email: v.optional(v.string()), provider: v.optional(social) }),
    v.object({
      kind: v.literal('request'),
      userId: v.string(),
      email: v.nullable(v.string()),
      request: methods.RPC_REQUEST.params,
    }),
  ]),
  origin,
  theme: methods.SYNC_THEME.params,
  language: v.pipe(v.string(), v.maxLength(20)),
  accountType,
})

const address = v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{25,90}$/))

/** Parses a stored window connection. */
export const windowConnectionSchema: v.GenericSchema<unknown, WindowConnection> = v.object({
  token: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  userId: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  email: v.nullable(v.pipe(v.string(), v.maxLength(254))),
  addresses: v.object({ eip155: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/i)), solana: address }),
  single: v.boolean(),
})

const chain = v.pipe(
  v.string(),
  v.maxLength(64),
  v.check((text) => parseChainId(text) !== undefined),
)
const hex = v.pipe(
  v.string(),
  v.regex(/^0x[0-9a-f]{1,128}$/i),
  v.transform((text) => text as `0x${string}`),
)
const batch = v.union([
  v.object({ chain, hashes: v.array(v.string()) }),
  v.object({ chain, operation: hex }),
]) as unknown as v.GenericSchema<unknown, CallBatch>

/** Parses a handover response. */
export const handoverResponseSchema: v.GenericSchema<unknown, HandoverResponse> = v.variant('kind', [
  v.object({
    kind: v.literal('connected'),
    connection: windowConnectionSchema as v.GenericSchema<unknown, WindowConnection>,
    social: v.optional(v.object({ provider: social, userName: v.nullable(v.pipe(v.string(), v.maxLength(200))) })),
  }),
  v.object({
    kind: v.literal('done'),
    result: v.optional(v.unknown()),
    single: v.boolean(),
    batch: v.optional(v.tuple([v.string(), batch])),
  }),
  v.object({ kind: v.literal('refused'), message: v.pipe(v.string(), v.maxLength(500)) }),
]) as unknown as v.GenericSchema<unknown, HandoverResponse>

/** A request that the frame has handed over to a top-level window of its origin. */
export interface WindowHandover {
  state(): ApprovalWindowState
  /** Returns the reason why the last window could not handle the request, or `undefined`. */
  failure(): string | undefined
  subscribe(listener: () => void): () => void
  /** Opens a window for the request and invalidates any earlier window. Must be called in a click handler. */
  open(): void
  /** Resolves when the window starts to execute the request or has responded. The request cannot be cancelled after that. */
  readonly begun: Promise<void>
  readonly answer: Promise<HandoverResponse>
  /** Cancels the request. Resolves to `false` if it is too late, in which case `answer` still resolves. */
  takeBack(): Promise<boolean>
}
