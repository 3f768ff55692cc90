import { Address, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { Subject } from '../subject.ts'
import { ApprovalButtons } from './ApprovalButtons.tsx'
import { DecidingFacts } from './DecidingFacts.tsx'
import { Facts, Origin, Sheet } from './parts.tsx'
import { say } from './words.ts'

/** Whether a page of another site learns who is here, and with which account. */
export function ConnectScreen({
  subject: { origin, email, address },
  doing,
  onYes,
  onNo,
}: {
  readonly subject: Subject & { readonly kind: 'connect' }
  readonly doing: boolean
  readonly onYes: () => void
  readonly onNo: () => void
}): ReactNode {
  return (
    <Sheet
      title={say('connectTitle')}
      footer={<ApprovalButtons yes="connect" doing={doing} onYes={onYes} onNo={onNo} />}
    >
      <DecidingFacts>
        <Origin origin={origin} wants="connectAsks" behind={0} />
        <Facts
          facts={[
            email === null ? undefined : { name: say('email'), value: email },
            { name: say('account'), value: <Address address={address} whole /> },
          ]}
        />
      </DecidingFacts>
      <Text>{say('connectText')}</Text>
    </Sheet>
  )
}
