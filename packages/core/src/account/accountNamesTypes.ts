import type { NameSuggestion, Profile } from '@latchkey/protocol/http/chainApi'
import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { QueryResult } from '../lib/queryResult.ts'
import type { ReadableStore } from '../lib/store.ts'

export type { NameSuggestion, Profile } from '@latchkey/protocol/http/chainApi'

/** The state of the form for registering an account name. */
export interface AccountNamesState {
  /** The label that the user entered, in lower case, such as `alice`. It is kept until the name is registered. */
  readonly text: string
  /**
   * The server's suggestions for `text`. The first one is `text` itself, if the server knows whether it is registered. Idle if
   * `text` is not a valid label.
   */
  readonly suggestions: QueryResult<readonly NameSuggestion[]>
  /** Whether a registration is in progress: the wallet is prompting the user to sign, or the server has not responded yet. */
  readonly registering: boolean
  /** Why the last registration failed. Reset when `text` changes. */
  readonly error: LatchkeyError | undefined
}

/** The account names of the operator's server, such as `alice.shop.example`. */
export interface AccountNames {
  /** The search for a name, its registration and their outcome. */
  readonly state: ReadableStore<AccountNamesState>
  /** Resolves to the domain of the names, or to `undefined` if the server has no names or did not respond. */
  zone(): Promise<string | undefined>
  /**
   * Resolves to the profile of a name, or to `undefined` if the name is not registered. If the server does not support the active
   * network, resolves to `undefined` without a request.
   */
  lookup(name: string): Promise<Profile | undefined>
  /** Resolves to the names of an address, oldest first. They are cached for five minutes. */
  reverse(address: string): Promise<readonly string[]>
  /** Reports that the user has opened the form. */
  opened(): void
  /** Sets the label that the user entered. Suggestions are requested half a second later. */
  setText(text: string): void
  /** Requests the suggestions again after a failure. */
  retry(): void
  /**
   * Prompts the user to sign, and registers `text` for the active account. Resolves to the full name. If the server did not
   * respond, the next call sends the same signature again. Rejects with a `LatchkeyError`, such as `user/rejected` or
   * `http/failed`.
   */
  register(): Promise<string>
  /** Aborts pending requests. */
  stop(): void
}
