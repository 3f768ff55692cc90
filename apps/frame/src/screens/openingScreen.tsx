import type { ReactNode } from 'react'
import type { Subject } from '../subject.ts'
import { EnterScreen } from './EnterScreen.tsx'
import { PutBackScreen } from './PutBackScreen.tsx'
import { RecoverScreen } from './RecoverScreen.tsx'
import { StartScreen } from './StartScreen.tsx'

/** What the screens before a wallet is open need. */
export interface OpeningFacts {
  readonly doing: boolean
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
    default:
      return undefined
  }
}
