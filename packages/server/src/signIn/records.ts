import type { AccountId } from '@latchkey/protocol/caip'
import { isPlainJson } from '@latchkey/protocol/text'
import * as v from 'valibot'
import { jsonWithin } from '../body.ts'
import { Failure } from '../failure.ts'
import { type SessionAccount, uuidOf } from './account.ts'
import { answer, type Call, type Desk, namedIn } from './desk.ts'

const metadataBytes = 4096

/** What is kept about whoever has signed in. */
export interface SignInRecord {
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly lastSignedInAt: number
}

/** Where that is kept, by project and account. */
export interface SignInRecords {
  signedIn(who: { projectId: string; account: AccountId; at: number }): Promise<void>
  find(who: { projectId: string; account: AccountId }): Promise<SignInRecord | undefined>
  setMetadata(who: {
    projectId: string
    account: AccountId
    metadata: Readonly<Record<string, unknown>> | null
  }): Promise<void>
}

/** `PUT account-metadata`, and `GET me` with what is kept where `includeAppKitAccount` asks for it. */
export function recordCalls(records: SignInRecords, desk: Desk): Readonly<Record<string, Call>> {
  return {
    'PUT account-metadata': async (asked) => {
      const { aud, sub } = await desk.mustSession(asked)
      const read = v.safeParse(withMetadata, await jsonWithin(asked.request, metadataBytes))
      if (!read.success)
        throw new Failure(
          400,
          'metadata',
          'metadata has to be an object of plain texts that is not nested deeply, or null',
        )
      await records.setMetadata({ projectId: aud, account: sub, metadata: read.output.metadata })
      return answer({})
    },
    'GET me': async (asked) => {
      const wanted = new URL(asked.request.url).searchParams.get('includeAppKitAccount') === 'true'
      const session = wanted ? await desk.session(asked, namedIn(asked)) : undefined
      const record = session && (await records.find({ projectId: session.aud, account: session.sub }))
      return session && record
        ? answer({ ...session, appKitAccount: accountOf(session, record) })
        : desk.calls['GET me'](asked)
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

// The words are the wire's (specification, services 3.14).
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
