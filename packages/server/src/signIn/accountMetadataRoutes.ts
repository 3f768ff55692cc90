import { getSignInSession, putAccountMetadata } from '@latchkey/protocol/http/signInRoutes'
import {
  accountParamOf,
  jsonResponse,
  readBody,
  type SessionAccount,
  type SignInHandlers,
  type SignInRoute,
  uuidOf,
} from '@latchkey/siwx/server'
import type { SignInRecord, SignInRecords } from '../storage/signInRecords.ts'

const metadataBytes = 4096

/** Returns the routes for `PUT account-metadata` and `GET me`. `me` includes the record if `includeAppKitAccount` is set. */
export function accountMetadataRoutes(
  records: SignInRecords,
  handlers: SignInHandlers,
): Readonly<Record<'putMetadata' | 'me', SignInRoute>> {
  return {
    putMetadata: {
      endpoint: putAccountMetadata,
      handle: async (authRequest) => {
        const { aud, sub } = await handlers.requireSession(authRequest)
        const { metadata } = await readBody(authRequest.request, putAccountMetadata, {
          maxBytes: metadataBytes,
          field: 'metadata',
          description: 'metadata must be null or an object that contains only strings and is not deeply nested',
        })
        await records.setMetadata({ projectId: aud, account: sub, metadata })
        return jsonResponse({})
      },
    },
    me: {
      endpoint: getSignInSession,
      handle: async (authRequest) => {
        const includesAccount = new URL(authRequest.request.url).searchParams.get('includeAppKitAccount') === 'true'
        const session = includesAccount ? await handlers.session(authRequest, accountParamOf(authRequest)) : undefined
        const record = session && (await records.find({ projectId: session.aud, account: session.sub }))
        return session && record
          ? jsonResponse({ ...session, appKitAccount: accountOf(session, record) })
          : handlers.routes.me.handle(authRequest)
      },
    },
  }
}

// The field names come from the specification (services 3.14).
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
