import type { ChainId } from '@latchkey/protocol/caip'
import { type NonceResponse, nonceResponse } from '@latchkey/protocol/http/signInResponses'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { parseResponse } from './serverResponses.ts'
import type { SessionTokens } from './sessionTokens.ts'
import type { SignInApiClient } from './signInApiClient.ts'

/** The maximum number of messages that can wait for a signature. */
const maxPending = 16

/** The nonces that the server has issued for messages that are not signed yet. */
export interface ServerNonces {
  request(chain: ChainId): Promise<NonceResponse>
  /** Returns the network for which a pending nonce was requested. */
  chainOf(nonce: string): ChainId | undefined
  /** Removes the nonce. In token mode, returns the token to send with the nonce. */
  take(nonce: string): string | undefined
}

/** Creates the nonces for a page. Without `tokens`, the server stores the nonces in a cookie. */
export function createServerNonces({
  api,
  url,
  tokens,
}: {
  readonly api: SignInApiClient
  readonly url: string
  readonly tokens: Pick<SessionTokens, 'nonce'> | undefined
}): ServerNonces {
  /** The pending nonces, oldest first. */
  const pending = new Map<string, { readonly token: string | undefined; readonly chain: ChainId }>()

  return {
    async request(chain) {
      const response = parseResponse(nonceResponse, await api({ method: 'GET', path: 'nonce' }), url)
      const { nonce, token } = response
      if (!token === (tokens !== undefined)) {
        const [mode, other] = tokens ? ['token', 'cookie'] : ['cookie', 'token']
        const message = `the server uses ${other}. Set { mode: '${other}' }, or set the server to ${mode}`
        throw new LatchkeyError('input/invalid', { path: 'mode', message })
      }
      if (token) tokens?.nonce.set(token)
      pending.set(nonce, { token: token ?? undefined, chain })
      const [oldest] = pending.keys()
      if (pending.size > maxPending && oldest) pending.delete(oldest)
      return response
    },
    chainOf: (nonce) => pending.get(nonce)?.chain,
    take(nonce) {
      const token = pending.get(nonce)?.token ?? tokens?.nonce.get()
      pending.delete(nonce)
      return token
    },
  }
}
