import type { VaultTransfer } from '@latchkey/protocol/http/vault'
import { walletPath } from '@latchkey/protocol/http/vault'
import { Button, Notice, Spinner, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApprovalButtons } from '../screens/ApprovalButtons.tsx'
import { Facts, Sheet } from '../screens/approvalScreenParts.tsx'
import { deviceApprovalErrorKey } from '../screens/deviceApprovalErrorKey.ts'
import { formatTime } from '../screens/formatTime.ts'
import { type MessageKey, t } from '../screens/messages.ts'
import { DeviceWordChoice } from './DeviceWordChoice.tsx'
import type { NavigationSource } from './navigationSource.ts'
import type { WalletPageContext } from './pageContext.ts'
import type { DeviceApprovalSession } from './walletPageController.ts'

type Step =
  | { readonly at: 'asked' }
  | { readonly at: 'waiting' }
  | { readonly at: 'refusing' }
  | {
      readonly at: 'picking'
      readonly sets: readonly (readonly string[])[]
      readonly pick: (picked: number | undefined) => void
    }
  | { readonly at: 'confirming'; readonly isLow: boolean; readonly confirm: (confirmed: boolean) => void }
  | { readonly at: 'giving' }
  | { readonly at: 'failed'; readonly because: MessageKey }

/**
 * Displays the request of another device to access the wallet. A page that tricks the user into repeated clicks must not succeed: the owner
 * must have navigated here themselves, must reauthenticate for this request, must find the other device's words among others, and must
 * approve in a different place.
 */
export function DeviceRequestView({
  controller,
  transfer,
  approving,
  arrival,
  onProve,
  onBack,
}: WalletPageContext & {
  readonly transfer: VaultTransfer
  /** The wallet opened for this request, or `undefined` before reauthentication. */
  readonly approving: DeviceApprovalSession | undefined
  readonly arrival: NavigationSource
  /** Starts reauthentication for this request. */
  readonly onProve: () => void
  readonly onBack: (note?: string) => void
}): ReactNode {
  const [step, setStep] = useState<Step>(
    transfer.offer === null ? { at: approving ? 'waiting' : 'asked' } : { at: 'failed', because: 'requestElsewhere' },
  )
  // If the browser does not report the navigation source, another page could have navigated here.
  const isOwner = arrival === 'owner'
  const talk = useRef<AbortController>(undefined)
  const newest = useRef(onBack)
  useEffect(() => {
    newest.current = onBack
  })

  useEffect(() => {
    if (!approving || !isOwner || transfer.offer !== null) return
    const left = new AbortController()
    talk.current = left
    const { signal } = left
    let isLow = true
    const answered = <Answer,>(show: (answer: (response: Answer) => void) => void): Promise<Answer> =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        show(resolve)
      })
    approving
      .approveDevice({
        signal,
        pick: (sets) =>
          answered<number | undefined>((answer) =>
            setStep({
              at: 'picking',
              sets,
              pick: (picked) => {
                // After a click in the upper half the approve button is in the lower half, and vice versa.
                if (picked !== undefined) isLow = picked < sets.length / 2
                answer(picked)
              },
            }),
          ),
        confirm: () =>
          answered<boolean>((answer) =>
            setStep({
              at: 'confirming',
              isLow,
              confirm: (confirmed) => {
                if (confirmed) setStep({ at: 'giving' })
                answer(confirmed)
              },
            }),
          ),
      })
      .then(
        () => newest.current(t('requestDone', { name: transfer.name })),
        (error: unknown) => {
          if (!signal.aborted) setStep({ at: 'failed', because: deviceApprovalErrorKey(error) })
        },
      )
    return () => left.abort()
  }, [approving, isOwner, transfer])

  const refuse = (): void => {
    talk.current?.abort()
    setStep({ at: 'refusing' })
    // A request that could not be rejected expires after ten minutes.
    controller
      .refuse(transfer)
      .catch(() => undefined)
      .finally(() => newest.current(t('requestRefused', { name: transfer.name })))
  }
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
    case 'asked':
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
                {t(step.at === 'giving' ? 'requestGiving' : step.at === 'refusing' ? 'waiting' : 'requestWaiting')}
              </Text>
            </Stack>
          </div>
        </Sheet>
      )
  }
}
