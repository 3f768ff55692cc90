import { Button, Notice, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { ApprovalButtons } from '../screens/ApprovalButtons.tsx'
import { Sheet } from '../screens/approvalScreenParts.tsx'
import { t } from '../texts/translations.ts'
import { ForeignNavigationNotice } from './ForeignNavigationNotice.tsx'
import type { NavigationSource } from './navigationSource.ts'
import { pageErrorText } from './pageErrorText.ts'
import type { WalletPageController } from './walletPageController.ts'

/** Signs out all devices after the user confirms twice. Not available if another page opened this page. */
export function SignOutEverywhere({
  controller,
  arrival,
  onBack,
  onOut,
}: {
  readonly controller: Pick<WalletPageController, 'signOutEverywhere'>
  readonly arrival: NavigationSource
  readonly onBack: () => void
  readonly onOut: (note?: string) => void
}): ReactNode {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const leave = (): void => {
    setBusy(true)
    setFailed(undefined)
    controller
      .signOutEverywhere()
      .then(() => onOut(t('pageLeftEverywhere')))
      .catch((error: unknown) => {
        setBusy(false)
        setFailed(pageErrorText(error))
      })
  }
  if (arrival === 'page')
    return (
      <Sheet
        title={t('pageSignOutEverywhere')}
        footer={
          <Button wide onClick={onBack}>
            {t('back')}
          </Button>
        }
      >
        <ForeignNavigationNotice />
      </Sheet>
    )
  return (
    <Sheet
      title={t('pageSignOutEverywhere')}
      footer={<ApprovalButtons yes="pageSignOutEverywhere" risk="high" doing={busy} onYes={leave} onNo={onBack} />}
    >
      <Text>{t('leaveEverywhereText')}</Text>
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
    </Sheet>
  )
}
