import { fromBase64Url, fromUtf8, toBase64Url, toUtf8 } from '@latchkey/protocol/bytes'
import type { Bytes, CryptoEnvironment } from '@latchkey/vault'
import { deriveKey, seal, unseal } from '@latchkey/vault/webCrypto'

/** Encrypts handover messages with a key that the frame shares with the window but not with the server. */
export interface HandoverCipher {
  /** The ID under which the server stores the messages. It does not reveal the key. */
  readonly id: string
  sealRequest(question: unknown): Promise<string>
  /** Decrypts a request. Resolves to `undefined` if it was modified or encrypted with a different key. */
  unsealRequest(sealPart: string): Promise<unknown>
  sealResponse(answer: unknown): Promise<string>
  unsealResponse(sealPart: string): Promise<unknown>
}

/** Generates a 256-bit key for one request. The frame passes it to the window only in the URL fragment. */
export function generateHandoverKey(environment: Pick<CryptoEnvironment, 'random'>): Bytes {
  return environment.random(32)
}

/** Parses the key in a URL fragment. Returns `undefined` if it is invalid. */
export function parseHandoverKey(fragment: string): Bytes | undefined {
  const key = fromBase64Url(fragment)
  return key?.length === 32 ? (key as Bytes) : undefined
}

/**
 * Creates the cipher for a handover. The request and the response are encrypted with separate keys and bound to the ID, so
 * neither can be used in place of the other or in a different handover. The server can withhold messages but cannot read or forge
 * them.
 */
export async function createHandoverCipher(environment: CryptoEnvironment, key: Bytes): Promise<HandoverCipher> {
  const emptySalt = new Uint8Array(32)
  const [idBytes, questionKey, answerKey] = await Promise.all(
    ['id', 'question', 'answer'].map((part) => deriveKey(environment, key, emptySalt, { use: 'handover', part })),
  )
  const id = toBase64Url(idBytes ?? emptySalt)
  const sealPart = async (part: string, under: Bytes = emptySalt, value: unknown): Promise<string> => {
    const sealedBox = await seal(environment, under, toUtf8(JSON.stringify(value)) as Bytes, {
      what: 'handover',
      part,
      id,
    })
    const [nonce, text] = [fromBase64Url(sealedBox.nonce) ?? emptySalt, fromBase64Url(sealedBox.sealed) ?? emptySalt]
    const both = new Uint8Array(nonce.length + text.length)
    both.set(nonce)
    both.set(text, nonce.length)
    return toBase64Url(both)
  }
  const unsealPart = async (part: string, under: Bytes = emptySalt, text: string): Promise<unknown> => {
    const bytes = fromBase64Url(text)
    if (!bytes || bytes.length < 28) return undefined
    const sealedBox = { nonce: toBase64Url(bytes.subarray(0, 12)), sealed: toBase64Url(bytes.subarray(12)) }
    const plain = await unseal(environment, under, sealedBox, { what: 'handover', part, id })
    const json = plain && fromUtf8(plain)
    return json === undefined ? undefined : JSON.parse(json)
  }
  return {
    id,
    sealRequest: (question) => sealPart('question', questionKey, question),
    unsealRequest: (text) => unsealPart('question', questionKey, text),
    sealResponse: (answer) => sealPart('answer', answerKey, answer),
    unsealResponse: (text) => unsealPart('answer', answerKey, text),
  }
}
