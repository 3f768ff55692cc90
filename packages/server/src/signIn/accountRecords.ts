import type { AccountId } from '@latchkey/protocol/caip'
import { isPlainJson } from '@latchkey/protocol/plainText'
import {
  AuthError,
  accountParamOf,
  type Handler,
  jsonResponse,
  readRequestJson,
  type SessionAccount,
  type SignInHandlers,
  uuidOf,
} from '@latchkey/siwx/server'
import * as v from 'valibot'

const metadataBytes = 4096

/** The stored record of an account that has signed in. */
export interface SignInRecord {
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly lastSignedInAt: number
}

/** Stores sign-in records by project and account. */
export interface SignInRecords {
  signedIn(account: { projectId: string; account: AccountId; at: number }): Promise<void>
  find(account: { projectId: string; account: AccountId }): Promise<SignInRecord | undefined>
  setMetadata(account: {
    projectId: string
    account: AccountId
    metadata: Readonly<Record<string, unknown>> | null
  }): Promise<void>
}

/** The handlers of `PUT account-metadata`, and of `GET me`, which includes the record if `includeAppKitAccount` is set. */
export function accountHandlers(records: SignInRecords, handlers: SignInHandlers): Readonly<Record<string, Handler>> {
  return {
    'PUT account-metadata': async (authRequest) => {
      const { aud, sub } = await handlers.requireSession(authRequest)
      const read = v.safeParse(withMetadata, await readRequestJson(authRequest.request, metadataBytes))
      if (!read.success)
        throw new AuthError(
          400,
          'metadata',
          'metadata must be null or an object that contains only strings and is not deeply nested',
        )
      await records.setMetadata({ projectId: aud, account: sub, metadata: read.output.metadata })
      return jsonResponse({})
    },
    'GET me': async (authRequest) => {
      const includesAccount = new URL(authRequest.request.url).searchParams.get('includeAppKitAccount') === 'true'
      const session = includesAccount ? await handlers.session(authRequest, accountParamOf(authRequest)) : undefined
      const record = session && (await records.find({ projectId: session.aud, account: session.sub }))
      return session && record
        ? jsonResponse({ ...session, appKitAccount: accountOf(session, record) })
        : handlers.handlers['GET me'](authRequest)
    },
  }
}

const withMetadata = v.object({
  metadata: v.nullable(
    v.pipe(
      v.record(v.string(), v.unknown()),
      v.check((metadata) => isPlainJson(metadata)),
    ),
  ),
})

// Field names as specified (services 3.14).
function accountOf(session: SessionAccount, { metadata, createdAt, lastSignedInAt }: SignInRecord): object {
  const at = (ms: number) => new Date(ms).toISOString()
  return {
    uuid: uuidOf('account', session.aud, session.sub),
    caip2_chain: session.caip2Network,
    address: session.address,
    profile_uuid: session.profileUuid,
    created_at: at(createdAt),
    is_main_account: true,
    verification_status: null,
    connection_method: null,
    metadata,
    last_signed_in_at: at(lastSignedInAt),
    signed_up_at: at(createdAt),
    updated_at: at(lastSignedInAt),
  }
}
