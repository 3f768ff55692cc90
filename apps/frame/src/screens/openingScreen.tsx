import type { ReactNode } from 'react'
import type { Subject } from '../subject.ts'
import { ConnectScreen } from './ConnectScreen.tsx'
import { EnterScreen } from './EnterScreen.tsx'
import { PutBackScreen } from './PutBackScreen.tsx'
import { RecoverScreen } from './RecoverScreen.tsx'
import { StartScreen } from './StartScreen.tsx'
import { WindowScreen } from './WindowScreen.tsx'

/** What the screens before a wallet is open need. */
export interface OpeningFacts {
  readonly doing: boolean
  /** How many wait behind it. [0] */
  readonly behind?: number
  readonly onYes: (choice?: unknown) => void
  readonly onNo: () => void
}

/** The screen of what comes before a wallet is open: coming in, the first key, another key. `undefined` for what is signed with it. */
export function openingScreen(subject: Subject, facts: OpeningFacts): ReactNode {
  switch (subject.kind) {
    case 'recover':
      return <RecoverScreen {...facts} recovering={subject.recovering} />
    case 'putBack':
      return <PutBackScreen {...facts} origin={subject.origin} />
    case 'start':
      return <StartScreen {...facts} starting={subject.starting} />
    case 'enter':
      return <EnterScreen {...facts} entering={subject.entering} />
    case 'window':
      return <WindowScreen {...facts} behind={facts.behind ?? 0} subject={subject} />
    case 'connect':
      return <ConnectScreen {...facts} subject={subject} />
    default:
      return undefined
  }
}
