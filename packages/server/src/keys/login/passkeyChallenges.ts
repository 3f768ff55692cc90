import type { WebAuthnJson } from '@latchkey/protocol/http/keys'
import * as v from 'valibot'
import { createPendingStepStore } from '../../storage/pendingStepStore.ts'
import { hashOf } from '../../storage/secretDigests.ts'
import type { KeysServices } from '../keysServices.ts'
import { passkeyRefused } from './webAuthn.ts'

const lifetimeMs = 5 * 60_000

const challengeSchema = v.object({ challenge: v.string(), userId: v.nullable(v.string()) })

/** The pending WebAuthn challenges of one kind. Each frame session has at most one. */
export interface PasskeyChallenges {
  /** Stores the challenge in `options` with the ID of the account that it is for. Resolves to `options` as JSON. */
  start(params: { flow: string; options: { challenge: string }; userId: string | null }): Promise<WebAuthnJson>
  /** Uses up the frame session's pending challenge and resolves to it. Throws if there is none. */
  take(flow: string): Promise<{ readonly challenge: string; readonly userId: string | null }>
}

/** Creates a database store for pending WebAuthn challenges of one kind. */
export function createPasskeyChallenges(
  { connection, now }: Pick<KeysServices, 'connection' | 'now'>,
  kind: 'passkey' | 'passkey-new' | 'passkey-account',
): PasskeyChallenges {
  const pending = createPendingStepStore({ connection, kind, data: challengeSchema, lifetimeMs, now })
  return {
    start: async ({ flow, options, userId }) => {
      const { challenge } = options
      await pending.put({ flow, secret: hashOf('challenge', challenge), data: { challenge, userId } })
      return { ...options } as WebAuthnJson
    },
    take: async (flow) => {
      const step = await pending.find(flow)
      const taken = step && (await pending.take(flow, step.secret))
      if (!taken) throw passkeyRefused()
      return taken.data
    },
  }
}
