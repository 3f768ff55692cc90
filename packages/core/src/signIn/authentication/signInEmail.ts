import { codeResponse } from '@latchkey/protocol/http/signInResponses'
import { parseResponse } from './serverResponses.ts'
import type { ServerSignIn } from './serverSignInTypes.ts'
import type { SignInApiClient } from './signInApiClient.ts'

/** The email address that the next sign-in includes, and the code that verifies the address. */
export interface SignInEmail {
  readonly request: ServerSignIn['requestCode']
  readonly confirm: ServerSignIn['confirmCode']
  /** The message resource that contains the address, if a code has been sent. */
  resources(): readonly string[]
  /** The header that identifies the code, if one was sent. */
  headers(): Readonly<Record<string, string>>
  /** Removes the address, so that the next sign-in does not include it. */
  clear(): void
}

/** Creates the functions that verify an email address for the next sign-in. */
export function createSignInEmail({ api, url }: { readonly api: SignInApiClient; readonly url: string }): SignInEmail {
  let sent: { readonly email: string; readonly id: string } | undefined
  const headers = (): Readonly<Record<string, string>> => (sent ? { 'x-otp': sent.id } : {})

  return {
    async request({ email: typed, account }) {
      const email = typed.trim()
      const response = await api({ method: 'POST', path: 'otp', body: { email, account } })
      const { uuid } = parseResponse(codeResponse, response, url)
      sent = uuid ? { email, id: uuid } : undefined
      return sent !== undefined
    },
    async confirm(code) {
      await api({ method: 'PUT', path: 'otp', body: { code }, headers: headers() })
    },
    // Encoded, because an address can contain characters that a URI cannot, such as those of an internationalized domain.
    resources: () => (sent ? [`email:${encodeURI(sent.email)}`] : []),
    headers,
    clear() {
      sent = undefined
    },
  }
}
