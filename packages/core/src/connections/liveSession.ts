import { type AccountId, addressOf, type ChainId } from '@latchkey/protocol/caip'
import type { Session } from '../adapter.ts'

/** A live session, as last read. */
export interface LiveSession {
  readonly session: Session
  /** Removes the listeners of the session. */
  readonly off: () => void
  accounts: readonly [AccountId, ...AccountId[]]
  chain: ChainId
  health: 'ok' | 'silent'
  /** The address that the user selected, if there are several. */
  chosen?: string
}

/** Reads the accounts and the chain of the session again. The selected account stays the first. */
export function readAgain(entry: LiveSession): void {
  const { accounts, chain } = entry.session
  entry.chain = chain
  entry.accounts = chosenFirst(accounts, entry.chosen)
}

function chosenFirst(accounts: LiveSession['accounts'], chosen: string | undefined): LiveSession['accounts'] {
  const first = chosen && accounts.find((account) => addressOf(account).toLowerCase() === chosen.toLowerCase())
  return first ? [first, ...accounts.filter((account) => account !== first)] : accounts
}
