import { type AccountId, addressOf, type ChainId } from '@latchkey/protocol/caip'
import type { Session } from '../adapter.ts'

/** A live session and its most recently read state. */
export interface LiveSession {
  readonly session: Session
  /** Removes the session's listeners. */
  readonly off: () => void
  accounts: readonly [AccountId, ...AccountId[]]
  chain: ChainId
  health: 'ok' | 'silent'
  /** The address that the user selected, if any. */
  chosen?: string
}

/** Reads the session's accounts and chain again, and moves the selected account to the front. */
export function readAgain(entry: LiveSession): void {
  const { accounts, chain } = entry.session
  entry.chain = chain
  entry.accounts = chosenFirst(accounts, entry.chosen)
}

function chosenFirst(accounts: LiveSession['accounts'], chosen: string | undefined): LiveSession['accounts'] {
  const first = chosen && accounts.find((account) => addressOf(account).toLowerCase() === chosen.toLowerCase())
  return first ? [first, ...accounts.filter((account) => account !== first)] : accounts
}
