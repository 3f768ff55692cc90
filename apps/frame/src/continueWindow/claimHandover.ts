import { toBase64Url } from '@latchkey/protocol/bytes'
import {
  type HandoverState,
  postHandoverClaim,
  postHandoverStep,
  postHandoverWait,
} from '@latchkey/protocol/http/vaultWindow'
import { read } from '@latchkey/protocol/schemas'
import { createHandoverCipher, type HandoverCipher, parseHandoverKey } from '../handover/handoverCipher.ts'
import { type HandoverRequest, type HandoverResponse, handoverRequestSchema } from '../handover/handoverMessages.ts'
import type { Bytes, CryptoEnvironment } from '../keys/cryptoEnvironment.ts'
import { isVaultFailure, type VaultClient } from '../vaultClient.ts'

/** A question of a frame, which this window alone has. */
export interface ClaimedHandover {
  readonly question: HandoverRequest
  /** Everything that it takes to go on with it in another document of this window. */
  suspended(): SuspendedHandover
  /** Says that it is being done: from here on the frame does not take it back. Throws where it has. */
  begin(): Promise<void>
  /** Hands the answer over; tries again while the network fails. */
  answer(answer: HandoverResponse): Promise<void>
  /** The window closes without an answer. May be called while it does. */
  close(): void
  /** Resolves when the frame has taken it back, or its time is over. */
  gone(signal: AbortSignal): Promise<void>
}

/** A claimed question, as one document of a window leaves it to the next. */
export interface SuspendedHandover {
  /** That frame and window share; base64url. */
  readonly key: string
  /** The window's, for the server. */
  readonly secret: string
  readonly question: HandoverRequest
}

/** What taking a question needs. */
export interface ClaimDependencies {
  readonly vault: VaultClient
  readonly environment: CryptoEnvironment
}

/** How often an answer is handed over again, and how soon. */
const responseAttempts = 8
const retryMs = 1_500

/** Claims the question behind `key`; `undefined` where there is none, another window has it, or it was not sealed with this key. */
export async function claimHandover(
  { vault, environment }: ClaimDependencies,
  key: Bytes,
): Promise<ClaimedHandover | undefined> {
  const cipher = await createHandoverCipher(environment, key)
  const claimed = await vault(postHandoverClaim, { params: { id: cipher.id } }).catch((error: unknown) => {
    if (isVaultFailure(error, 'handover/unknown', 'handover/taken')) return undefined
    throw error
  })
  if (!claimed) return undefined
  const { secret } = claimed
  const question = read(handoverRequestSchema, await cipher.unsealRequest(claimed.sealed).catch(() => undefined))
  if (!question) {
    // This window has claimed it, so no other one will answer.
    const body = { secret, state: 'closed' } as const
    vault(postHandoverStep, { params: { id: cipher.id }, body, leaving: true }).catch(() => undefined)
    return undefined
  }
  return createClaimedHandover({ vault, environment, cipher, key, secret, question })
}

/** Goes on with a question that an earlier document of this window has claimed. Whether it still counts the server says with the next step. */
export async function resumeHandover(
  { vault, environment }: ClaimDependencies,
  { key, secret, question }: SuspendedHandover,
): Promise<ClaimedHandover | undefined> {
  const bytes = parseHandoverKey(key)
  return (
    bytes &&
    createClaimedHandover({
      vault,
      environment,
      cipher: await createHandoverCipher(environment, bytes),
      key: bytes,
      secret,
      question,
    })
  )
}

function createClaimedHandover({
  vault,
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
      await vault(postHandoverStep, { params, body: { secret, state: 'doing' } })
    },
    async answer(answer) {
      const sealed = await cipher.sealResponse(answer)
      for (let left = responseAttempts; ; left -= 1)
        try {
          isOver = true
          await vault(postHandoverStep, { params, body: { secret, state: 'answered', sealed } })
          return
        } catch (error) {
          if (left === 0 || isVaultFailure(error, 'handover/unknown')) throw error
          await pause()
        }
    },
    close() {
      if (isOver) return
      isOver = true
      vault(postHandoverStep, { params, body: { secret, state: 'closed' }, leaving: true }).catch(() => undefined)
    },
    async gone(signal) {
      let seen: HandoverState = 'claimed'
      while (!signal.aborted)
        try {
          const body: { readonly secret: string; readonly seen: HandoverState } = { secret, seen }
          seen = (await vault(postHandoverWait, { params, body, signal })).state
        } catch (error) {
          if (isVaultFailure(error, 'handover/unknown')) return
          await pause()
        }
      return new Promise(() => {})
    },
  }
}
