import { toBase64Url } from '@latchkey/protocol/bytes'
import {
  type HandoverState,
  postHandoverClaim,
  postHandoverStep,
  postHandoverWait,
} from '@latchkey/protocol/http/keys/crossSite'
import { read } from '@latchkey/protocol/parseWithSchema'
import type { Bytes, CryptoEnvironment } from '@latchkey/vault'
import { createHandoverCipher, type HandoverCipher, parseHandoverKey } from '../handover/handoverCipher.ts'
import { type HandoverRequest, type HandoverResponse, handoverRequestSchema } from '../handover/handoverMessages.ts'
import { isKeysFailure, type KeysApiClient } from '../keysApiClient.ts'

/** A request from a frame that this window has claimed exclusively. */
export interface ClaimedHandover {
  readonly question: HandoverRequest
  /** Returns the state needed to resume the request in another document of this window. */
  suspended(): SuspendedHandover
  /**
   * Reports that the request is being executed. After that, the frame cannot cancel the request.
   * @throws {KeysServerError} if the request has already been cancelled.
   */
  begin(): Promise<void>
  /** Sends the response. Retries after errors, unless the handover no longer exists. */
  answer(answer: HandoverResponse): Promise<void>
  /** Closes the handover without a response. Can be called while the window unloads. */
  close(): void
  /** Resolves when the frame has cancelled the request or the request has expired. */
  gone(signal: AbortSignal): Promise<void>
}

/** A claimed request, passed from one document of a window to the next. */
export interface SuspendedHandover {
  /** The key that the frame and the window share, in base64url. */
  readonly key: string
  /** The secret that authenticates the window to the server. */
  readonly secret: string
  readonly question: HandoverRequest
}

/** The dependencies for claiming a request. */
export interface ClaimDependencies {
  readonly keysClient: KeysApiClient
  readonly environment: CryptoEnvironment
}

/** The number of retries for a response, and the delay between them. */
const responseAttempts = 8
const retryMs = 1_500

/**
 * Claims the request that is encrypted with `key`. Resolves to `undefined` if the request does not exist, is claimed by another
 * window, or cannot be decrypted.
 */
export async function claimHandover(
  { keysClient, environment }: ClaimDependencies,
  key: Bytes,
): Promise<ClaimedHandover | undefined> {
  const cipher = await createHandoverCipher(environment, key)
  const claimed = await keysClient(postHandoverClaim, { params: { id: cipher.id } }).catch((error: unknown) => {
    if (isKeysFailure(error, 'handover/unknown', 'handover/taken')) return undefined
    throw error
  })
  if (!claimed) return undefined
  const { secret } = claimed
  const question = read(handoverRequestSchema, await cipher.unsealRequest(claimed.sealed).catch(() => undefined))
  if (!question) {
    // Close the request, because this window has claimed it and no other window can respond.
    const body = { secret, state: 'closed' } as const
    keysClient(postHandoverStep, { params: { id: cipher.id }, body, leaving: true }).catch(() => undefined)
    return undefined
  }
  return createClaimedHandover({ keysClient, environment, cipher, key, secret, question })
}

/**
 * Resumes a request that an earlier document of this window has claimed. The server checks the request's validity at the next
 * step.
 */
export async function resumeHandover(
  { keysClient, environment }: ClaimDependencies,
  { key, secret, question }: SuspendedHandover,
): Promise<ClaimedHandover | undefined> {
  const bytes = parseHandoverKey(key)
  return (
    bytes &&
    createClaimedHandover({
      keysClient,
      environment,
      cipher: await createHandoverCipher(environment, bytes),
      key: bytes,
      secret,
      question,
    })
  )
}

function createClaimedHandover({
  keysClient,
  environment,
  cipher,
  key,
  secret,
  question,
}: ClaimDependencies & {
  readonly cipher: HandoverCipher
  readonly key: Bytes
  readonly secret: string
  readonly question: HandoverRequest
}): ClaimedHandover {
  const params = { id: cipher.id }
  let isOver = false
  const pause = (): Promise<void> => new Promise((resolve) => void environment.clock.after(retryMs, resolve))

  return {
    question,
    suspended: () => ({ key: toBase64Url(key), secret, question }),
    async begin() {
      await keysClient(postHandoverStep, { params, body: { secret, state: 'doing' } })
    },
    async answer(answer) {
      const sealed = await cipher.sealResponse(answer)
      for (let left = responseAttempts; ; left -= 1)
        try {
          isOver = true
          await keysClient(postHandoverStep, { params, body: { secret, state: 'answered', sealed } })
          return
        } catch (error) {
          if (left === 0 || isKeysFailure(error, 'handover/unknown')) throw error
          await pause()
        }
    },
    close() {
      if (isOver) return
      isOver = true
      keysClient(postHandoverStep, { params, body: { secret, state: 'closed' }, leaving: true }).catch(() => undefined)
    },
    async gone(signal) {
      let seen: HandoverState = 'claimed'
      while (!signal.aborted)
        try {
          const body: { readonly secret: string; readonly seen: HandoverState } = { secret, seen }
          seen = (await keysClient(postHandoverWait, { params, body, signal })).state
        } catch (error) {
          if (isKeysFailure(error, 'handover/unknown')) return
          await pause()
        }
      return new Promise(() => {})
    },
  }
}
