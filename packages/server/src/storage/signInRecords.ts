import type { AccountId } from '@latchkey/protocol/caip'

/** The stored record of an account that has signed in. */
export interface SignInRecord {
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly lastSignedInAt: number
}

/** A store of sign-in records, keyed by project and account. */
export interface SignInRecords {
  signedIn(account: { projectId: string; account: AccountId; at: number }): Promise<void>
  find(account: { projectId: string; account: AccountId }): Promise<SignInRecord | undefined>
  setMetadata(account: {
    projectId: string
    account: AccountId
    metadata: Readonly<Record<string, unknown>> | null
  }): Promise<void>
}
