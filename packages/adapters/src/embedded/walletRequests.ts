import type { Clock } from '@latchkey/core/adapter'
import { type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { Channel } from '@latchkey/protocol/frame/channel'
import { methodClass } from '@latchkey/protocol/frame/rpcMethods'
import { complaintAbout, withHexIntegers } from '@latchkey/protocol/frame/rpcSchemas'

/** One wallet request. */
export interface WalletRequest {
  readonly chain: ChainId
  readonly method: string
  readonly params?: unknown
}

/** The wallet requests of one frame. */
export interface Requests {
  /** Asks the frame, in front of the visitor where they have to approve. Rejects with what EIP-1193 prescribes. */
  ask(request: WalletRequest): Promise<unknown>
  stop(): void
}

/** How long a frame of ours may take to say what became of a request that was taken back. */
export const confirmMs = 3_000

/** A request that names a permission may need nobody: a frame of ours that takes longer than this wants to ask all the same. */
const permittedMs = 2_000

/** Sends requests through `channel`: reads pass, approvals show the frame, the rest is refused here already. */
export function createRequests(deps: {
  readonly channel: Channel
  readonly clock: Clock
  show(dismissed: () => void): () => void
  rpcUrl(chain: ChainId): string | undefined
  /** Pays for calls that name nobody. */
  readonly paymaster?: string | undefined
  /** Told of a request that no embedded wallet answers. */
  refused(error: LatchkeyError): void
}): Requests {
  const { channel, clock, paymaster, refused } = deps
  const open = new Set<AbortController>()

  const send = async (
    { chain, method, params }: WalletRequest,
    options: { signal?: AbortSignal; sent?(id: string): void },
  ) => {
    const rpcUrl = deps.rpcUrl(chain)
    const reference = chain.slice(chain.indexOf(':') + 1)
    const namespace = namespaceOf(chain)
    return channel.ask(
      'RPC_REQUEST',
      {
        method,
        ...(params !== undefined && { params: withHexIntegers(params) }),
        chainId: namespace === 'eip155' ? Number(reference) : reference,
        chainNamespace: namespace,
        ...(rpcUrl !== undefined && { rpcUrl }),
      },
      options,
    )
  }

  const approved = async (request: WalletRequest): Promise<unknown> => {
    const controller = new AbortController()
    let id: string | undefined
    let cancelConfirm = () => {}
    const takeBack = () => {
      channel.notify('RPC_ABORT', { ...(id !== undefined && { id }) })
      // A frame of ours says whether it was in time: what is signed is not called aborted. A plain one says nothing.
      if (channel.speaks === 'window') controller.abort()
      else cancelConfirm = clock.after(confirmMs, () => controller.abort())
    }
    open.add(controller)
    let hide = () => {}
    const show = () => {
      hide = deps.show(takeBack)
    }
    let cancelShow = () => {}
    if (channel.speaks === 'port' && namesPermission(request.params)) cancelShow = clock.after(permittedMs, show)
    else show()
    try {
      return await send(request, {
        signal: controller.signal,
        sent(sentId) {
          id = sentId
        },
      })
    } finally {
      cancelShow()
      cancelConfirm()
      open.delete(controller)
      hide()
    }
  }

  return {
    async ask(request) {
      const { method, params } = request
      const rule = methodClass(method)
      if (rule === 'refused') {
        const error = failure('frame/not-allowed', { method })
        refused(error)
        throw asProviderError(error)
      }
      const complaint = complaintAbout(method, params)
      if (complaint) throw asProviderError(new LatchkeyError('input/invalid', { path: 'params', message: complaint }))
      try {
        const asked = paymaster && method === 'wallet_sendCalls' ? paidBy(paymaster, request) : request
        return await (rule === 'unsafe' ? approved(asked) : send(asked, {}))
      } catch (error) {
        throw asProviderError(toLatchkeyError(error))
      }
    },
    stop() {
      for (const controller of [...open]) controller.abort()
    },
  }
}

/** The calls with this paymaster, unless they name one. Optional (EIP-5792): a network where it cannot be asked still takes them. */
function paidBy(url: string, request: WalletRequest): WalletRequest {
  const [first, ...rest] = request.params as readonly ({ readonly capabilities?: unknown } | undefined)[]
  const { capabilities: named = {} } = first ?? {}
  if (!first || typeof named !== 'object' || inside(named, 'paymasterService') !== undefined) return request
  const capabilities = { ...named, paymasterService: { url, optional: true } }
  return { ...request, params: [{ ...first, capabilities }, ...rest] }
}

/** Whether the request says by which permission it may be done without asking (ERC-7715). The frame knows whether that is so. */
function namesPermission(params: unknown): boolean {
  const [first] = Array.isArray(params) ? (params as readonly unknown[]) : []
  const capabilities = inside(first, 'capabilities')
  return typeof inside(inside(capabilities, 'permissions'), 'context') === 'string'
}

function inside(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined
}

/** An error as EIP-1193 wants it, with ours as its cause. */
function asProviderError(error: LatchkeyError): Error & { readonly code: number } {
  return Object.assign(new Error(error.message, { cause: error }), { code: codeOf(error) })
}

function codeOf(error: LatchkeyError): number {
  // Taken back by the visitor: libraries know 4001 for that, and nothing else.
  if (isLatchkeyError(error, 'user/rejected') || isLatchkeyError(error, 'request/aborted')) return 4001
  if (isLatchkeyError(error, 'frame/not-allowed')) return 4200
  if (isLatchkeyError(error, 'wallet/not-authorized')) return 4100
  if (/^(frame\/(unreachable|load-failed)|wallet\/unreachable)$/.test(error.code)) return 4900
  return isLatchkeyError(error, 'input/invalid') ? -32_602 : -32_603
}
