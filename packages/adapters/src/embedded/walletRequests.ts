import type { Clock } from '@latchkey/core/adapter'
import { type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { Channel } from '@latchkey/protocol/frame/channel'
import { methodClass } from '@latchkey/protocol/frame/rpcMethods'
import { complaintAbout, withHexIntegers } from '@latchkey/protocol/frame/rpcSchemas'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'

/** A wallet request. */
export interface WalletRequest {
  readonly chain: ChainId
  readonly method: string
  readonly params?: unknown
}

/** Sends wallet requests to a frame. */
export interface Requests {
  /** Sends a request to the frame and displays the frame if the user must approve the request. Rejects with EIP-1193 errors. */
  ask(request: WalletRequest): Promise<unknown>
  stop(): void
}

/** The time that our frame has to report the outcome of a cancelled request. */
export const confirmMs = 3_000

/** A request with a permission might not need approval, so our frame is displayed only if the response takes longer than this. */
const permittedMs = 2_000

/**
 * Creates a sender for wallet requests. Forwards reads through `channel`, displays the frame for requests that need approval, and
 * rejects all other methods.
 */
export function createRequests(dependencies: {
  readonly channel: Channel
  readonly clock: Clock
  show(dismissed: () => void): () => void
  rpcUrl(chain: ChainId): string | undefined
  /** The default paymaster for calls that do not specify one. */
  readonly paymaster?: string | undefined
  /** Called when a request is rejected because embedded wallets do not support its method. */
  refused(error: LatchkeyError): void
}): Requests {
  const { channel, clock, paymaster, refused } = dependencies
  const open = new Set<AbortController>()

  const send = async (
    { chain, method, params }: WalletRequest,
    options: { signal?: AbortSignal; sent?(id: string): void },
  ) => {
    const rpcUrl = dependencies.rpcUrl(chain)
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
    const cancel = () => {
      channel.notify('RPC_ABORT', { ...(id !== undefined && { id }) })
      // Our frames report whether the request was cancelled in time, so wait for their response. A request that was already
      // signed must not be reported as aborted. Third-party frames might not respond, so do not wait for them.
      if (channel.speaks === 'window') controller.abort()
      else cancelConfirm = clock.after(confirmMs, () => controller.abort())
    }
    open.add(controller)
    let hide = () => {}
    const show = () => {
      hide = dependencies.show(cancel)
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
        const outgoing = paymaster && method === 'wallet_sendCalls' ? paidBy(paymaster, request) : request
        return await (rule === 'unsafe' ? approved(outgoing) : send(outgoing, {}))
      } catch (error) {
        throw asProviderError(toLatchkeyError(error))
      }
    },
    stop() {
      for (const controller of [...open]) controller.abort()
    },
  }
}

/**
 * Adds the default paymaster unless the calls specify one. The paymaster is marked as optional (EIP-5792), so that the calls are
 * accepted on networks that it does not support.
 */
function paidBy(url: string, request: WalletRequest): WalletRequest {
  const [first, ...rest] = request.params as readonly ({ readonly capabilities?: unknown } | undefined)[]
  const { capabilities: named = {} } = first ?? {}
  if (!first || typeof named !== 'object' || inside(named, 'paymasterService') !== undefined) return request
  const capabilities = { ...named, paymasterService: { url, optional: true } }
  return { ...request, params: [{ ...first, capabilities }, ...rest] }
}

/** Whether the request refers to an ERC-7715 permission and might need no approval. The frame verifies the permission. */
function namesPermission(params: unknown): boolean {
  const [first] = Array.isArray(params) ? (params as readonly unknown[]) : []
  const capabilities = inside(first, 'capabilities')
  return typeof inside(inside(capabilities, 'permissions'), 'context') === 'string'
}

function inside(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined
}

/** Converts an error to an EIP-1193 error, with the original as its cause. */
function asProviderError(error: LatchkeyError): Error & { readonly code: number } {
  return Object.assign(new Error(error.message, { cause: error }), { code: codeOf(error) })
}

function codeOf(error: LatchkeyError): number {
  // 4001 is the only code that libraries recognize as a cancellation by the user.
  if (isLatchkeyError(error, 'user/rejected') || isLatchkeyError(error, 'request/aborted')) return 4001
  if (isLatchkeyError(error, 'frame/not-allowed')) return 4200
  if (isLatchkeyError(error, 'wallet/not-authorized')) return 4100
  if (/^(frame\/(unreachable|load-failed)|wallet\/unreachable)$/.test(error.code)) return 4900
  return isLatchkeyError(error, 'input/invalid') ? -32_602 : -32_603
}
