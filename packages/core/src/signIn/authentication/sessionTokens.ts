import { fromBase64Url, fromUtf8 } from '@latchkey/protocol/bytes'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { KeyValueStorage } from '../../options.ts'
import type { StorageEntry } from '../../storage/storageEntry.ts'
import { createRecords } from '../../storage/storageSchema.ts'

/** Decodes a token's claims. Only the server can verify them. Throws `sign-in/bad-token` if the token is malformed. */
export function readToken(token: string): unknown {
  const parts = token.split('.')
  const bytes = parts.length === 3 ? fromBase64Url(parts[1] ?? '') : undefined
  const text = bytes && fromUtf8(bytes)
  try {
    if (text !== undefined) return JSON.parse(text) as unknown
  } catch {
    // The error is thrown below.
  }
  throw failure('sign-in/bad-token')
}

/** The stored tokens of a page in token mode. */
export type SessionTokens = Readonly<Record<'session' | 'nonce', Pick<StorageEntry<string>, 'get' | 'set' | 'clear'>>>

/** Creates the storage entries for the session and nonce tokens. If storage is unavailable, the tokens are kept in memory. */
export function createTokens({
  storage,
  id,
}: {
  readonly storage: KeyValueStorage | undefined
  readonly id: string | undefined
}): SessionTokens {
  const { signInToken, signInNonce } = createRecords({ storage: () => storage, log: { warn: () => {} }, id })
  return { session: withMemory(signInToken), nonce: withMemory(signInNonce) }
}

function withMemory(record: StorageEntry<string>): Pick<StorageEntry<string>, 'get' | 'set' | 'clear'> {
  let unkept: string | undefined
  return {
    get: () => record.get() ?? unkept,
    set(value) {
      record.set(value)
      // Keep no copy in memory if storage accepted the value, because another tab can sign out.
      unkept = record.get() === value ? undefined : value
    },
    clear() {
      unkept = undefined
      record.clear()
    },
  }
}
