import type { KeysTransfer } from '@latchkey/protocol/http/keys'
import { walletPath } from '@latchkey/protocol/http/keys'
import { Button, Notice, Spinner, Stack, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { ApprovalButtons } from '../screens/ApprovalButtons.tsx'
import { Facts, Sheet } from '../screens/approvalScreenParts.tsx'
import { formatTime } from '../screens/formatTime.ts'
import { t } from '../texts/translations.ts'
import { DeviceWordChoice } from './DeviceWordChoice.tsx'
import type { DeviceApprovalSession } from './deviceRequests.ts'
import type { NavigationSource } from './navigationSource.ts'
import type { WalletPageContext } from './pageContext.ts'
import { useDeviceApproval } from './useDeviceApproval.ts'

/**
 * Displays another device's request to access the wallet. A page that tricks the user into repeated clicks must not succeed, so
 * the owner must navigate to this page themselves, reauthenticate for this request, pick the other device's words from several
 * sets, and approve in a different place.
 */
export function DeviceRequestView({
  controller,
  transfer,
  approving,
  arrival,
  onProve,
  onBack,
}: WalletPageContext & {
  readonly transfer: KeysTransfer
  /** The wallet opened for this request, or `undefined` before reauthentication. */
  readonly approving: DeviceApprovalSession | undefined
  readonly arrival: NavigationSource
  /** Starts reauthentication for this request. */
  readonly onProve: () => void
  readonly onBack: (note?: string) => void
}): ReactNode {
  // If the browser does not report the navigation source, another page might have navigated here.
  const isOwner = arrival === 'owner'
  const { step, refuse } = useDeviceApproval({ controller, transfer, approving, isOwner, onDone: onBack })
  const facts = (
    <Facts
      facts={[
        { name: t('requestWho'), value: transfer.name },
        { name: t('requestWhen'), value: formatTime(transfer.createdAt) },
      ]}
    />
  )
  const back = (
    <Button wide onClick={() => onBack()}>
      {t('back')}
    </Button>
  )
  if (!isOwner)
    return (
      <Sheet title={t('requestTitle')} footer={back}>
        {facts}
        <Notice kind="warning">{t('requestForeign', { address: `${window.location.host}${walletPath}` })}</Notice>
      </Sheet>
    )
  switch (step.at) {
    case 'requested':
      return (
        <Sheet
          title={t('requestTitle')}
          footer={<ApprovalButtons yes="requestGoOn" no="requestNo" doing={false} onYes={onProve} onNo={refuse} />}
        >
          {facts}
          <Notice kind="warning">{t('requestText')}</Notice>
          {transfer.heldUntil !== undefined && (
            <Notice kind="info">{t('requestHeldUntil', { time: formatTime(transfer.heldUntil) })}</Notice>
          )}
        </Sheet>
      )
    case 'picking':
      return <DeviceWordChoice sets={step.sets} onPick={step.pick} />
    case 'confirming': {
      const decide = (
        <ApprovalButtons yes="requestYes" no="requestNo" doing={false} onYes={() => step.confirm(true)} onNo={refuse} />
      )
      return (
        <Sheet title={t('requestTitle')} footer={step.isLow ? decide : null}>
          {!step.isLow && decide}
          {facts}
          <Text>{t('requestConfirm')}</Text>
        </Sheet>
      )
    }
    case 'failed':
      return (
        <Sheet title={t('requestTitle')} footer={back}>
          {facts}
          <Notice kind="error">{t(step.because)}</Notice>
          <Text>{t('requestAskAgain')}</Text>
        </Sheet>
      )
    default:
      return (
        <Sheet
          title={t('requestTitle')}
          footer={
            <Button wide disabled={step.at !== 'waiting'} onClick={refuse}>
              {t('cancel')}
            </Button>
          }
        >
          {facts}
          <div role="status">
            <Stack direction="row" align="center">
              <Spinner />
              <Text tone="soft">
                {t(
                  step.at === 'transferring' ? 'requestGiving' : step.at === 'refusing' ? 'waiting' : 'requestWaiting',
                )}
              </Text>
            </Stack>
          </div>
        </Sheet>
      )
  }
}
