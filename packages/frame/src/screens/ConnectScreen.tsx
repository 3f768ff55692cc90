import { Address, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import { t } from '../texts/translations.ts'
import { ApprovalButtons } from './ApprovalButtons.tsx'
import { Facts, Origin, Sheet } from './approvalScreenParts.tsx'
import { RequiredFacts } from './RequiredFacts.tsx'

/** Asks the user whether to connect the signed-in account to a cross-site page. */
export function ConnectScreen({
  subject: { origin, email, address },
  doing,
  onYes,
  onNo,
}: {
  readonly subject: ApprovalView & { readonly kind: 'connect' }
  readonly doing: boolean
  readonly onYes: () => void
  readonly onNo: () => void
}): ReactNode {
  return (
    <Sheet title={t('connectTitle')} footer={<ApprovalButtons yes="connect" doing={doing} onYes={onYes} onNo={onNo} />}>
      <RequiredFacts>
        <Origin origin={origin} wants="connectAsks" behind={0} />
        <Facts
          facts={[
            email === null ? undefined : { name: t('email'), value: email },
            { name: t('account'), value: <Address address={address} whole /> },
          ]}
        />
      </RequiredFacts>
      <Text>{t('connectText')}</Text>
    </Sheet>
  )
}
