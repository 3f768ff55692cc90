import { fromBase64Url, fromUtf8 } from '@latchkey/protocol/bytes'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { KeyValueStorage } from '../../options.ts'
import type { StoredRecord } from '../../storage/records.ts'
import { createRecords } from '../../storage/storage.ts'

/** The claims of a token, as they are written in it; whether they are true is the server's to say. Throws `sign-in/bad-token`. */
export function readToken(token: string): unknown {
  const parts = token.split('.')
  const bytes = parts.length === 3 ? fromBase64Url(parts[1] ?? '') : undefined
  const text = bytes && fromUtf8(bytes)
  try {
    if (text !== undefined) return JSON.parse(text) as unknown
  } catch {
    // Said below.
  }
  throw failure('sign-in/bad-token')
}

/** The nonce and session tokens, for as long as the page lives where there is no storage. */
export function createTokens({
  storage,
  id,
}: {
  readonly storage: KeyValueStorage | undefined
  readonly id: string | undefined
}): Readonly<Record<'session' | 'nonce', Pick<StoredRecord<string>, 'get' | 'set' | 'clear'>>> {
  const { signInToken, signInNonce } = createRecords({ storage: () => storage, log: { warn: () => {} }, id })
  return { session: withMemory(signInToken), nonce: withMemory(signInNonce) }
}

function withMemory(record: StoredRecord<string>): Pick<StoredRecord<string>, 'get' | 'set' | 'clear'> {
  let unkept: string | undefined
  return {
    get: () => record.get() ?? unkept,
    set(value) {
      record.set(value)
      // Where storage has it, storage alone has it: another tab may sign out.
      unkept = record.get() === value ? undefined : value
    },
    clear() {
      unkept = undefined
      record.clear()
    },
  }
}
