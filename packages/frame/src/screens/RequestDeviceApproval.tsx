import { walletPath } from '@latchkey/protocol/http/keys'
import { Button, Notice, QrCode, Skeleton, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { DeviceApprovalCallbacks } from '../approvals/approvalViewModel.ts'
import { type MessageKey, t } from '../texts/translations.ts'
import { ApprovalButtons } from './ApprovalButtons.tsx'
import { Sheet, VerificationWords } from './approvalScreenParts.tsx'
import { deviceApprovalErrorKey } from './deviceApprovalErrorKey.ts'
import { formatTime } from './formatTime.ts'
import { RequiredFacts } from './RequiredFacts.tsx'

type Step =
  | { readonly at: 'asking' }
  | { readonly at: 'waiting'; readonly id: string; readonly heldUntil: number | undefined }
  | { readonly at: 'comparing'; readonly words: readonly string[]; readonly answer: (same: boolean) => void }
  | { readonly at: 'sealing'; readonly words: readonly string[] }
  | { readonly at: 'failed'; readonly because: MessageKey }

/**
 * Requests approval from another device. Shows the address to open on that device and then four words to compare, and waits for
 * the approval.
 */
export function RequestDeviceApproval({
  open,
  onOpened,
  onBack,
}: {
  readonly open: (asking: DeviceApprovalCallbacks) => Promise<unknown>
  readonly onOpened: (vault: unknown) => void
  readonly onBack: () => void
}): ReactNode {
  const [step, setStep] = useState<Step>({ at: 'asking' })
  const [attempt, setAttempt] = useState(1)
  const newest = useRef({ open, onOpened })
  useEffect(() => {
    newest.current = { open, onOpened }
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a retry
  useEffect(() => {
    const left = new AbortController()
    const { signal } = left
    const to = (next: Step): void => {
      if (!signal.aborted) setStep(next)
    }
    to({ at: 'asking' })
    // Runs in a microtask, because React's strict mode mounts the component twice, but only one request must be sent.
    Promise.resolve()
      .then(() => {
        signal.throwIfAborted()
        return newest.current.open({
          signal,
          onPosted: ({ id, heldUntil }) => to({ at: 'waiting', id, heldUntil }),
          compare: (words) =>
            new Promise((resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason), { once: true })
              const answer = (same: boolean): void => {
                if (same) to({ at: 'sealing', words })
                resolve(same)
              }
              to({ at: 'comparing', words, answer })
            }),
        })
      })
      .then(
        (vault) => {
          if (!signal.aborted) newest.current.onOpened(vault)
        },
        (error: unknown) => to({ at: 'failed', because: deviceApprovalErrorKey(error) }),
      )
    return () => left.abort()
  }, [attempt])

  if (step.at === 'comparing')
    return (
      <Sheet
        title={t('deviceTitle')}
        footer={
          <Stack gap={8}>
            <ApprovalButtons
              yes="deviceSame"
              no="deviceDiffer"
              doing={false}
              onYes={() => step.answer(true)}
              onNo={() => step.answer(false)}
            />
            <Button wide onClick={onBack}>
              {t('back')}
            </Button>
          </Stack>
        }
      >
        <RequiredFacts>
          <Text>{t('deviceCompare')}</Text>
          <VerificationWords words={step.words} />
        </RequiredFacts>
      </Sheet>
    )
  return (
    <Sheet
      title={t('deviceTitle')}
      footer={
        <Button wide onClick={onBack}>
          {t('back')}
        </Button>
      }
    >
      {step.at === 'failed' ? (
        <>
          <Notice kind="error">{t(step.because)}</Notice>
          <Button kind="primary" wide icon="retry" onClick={() => setAttempt((now) => now + 1)}>
            {t('deviceAgain')}
          </Button>
        </>
      ) : step.at === 'sealing' ? (
        <>
          <VerificationWords words={step.words} />
          <div role="status">
            <Text>{t('deviceSealing')}</Text>
          </div>
        </>
      ) : (
        <DeviceApprovalAddress step={step} />
      )}
    </Sheet>
  )
}

/** Shows the address to open on the other device, as a QR code and as text. */
function DeviceApprovalAddress({ step }: { readonly step: Step }): ReactNode {
  const { origin, host } = window.location
  return (
    <>
      <Text>{t('deviceWhere')}</Text>
      <Stack align="center">
        {step.at === 'waiting' ? (
          <QrCode value={`${origin}${walletPath}#${step.id}`} size={208} label={t('deviceQr')} />
        ) : (
          <div className="qr-room">
            <Skeleton kind="square" />
          </div>
        )}
        <bdi className="place" dir="ltr">
          {host}
          {walletPath}
        </bdi>
      </Stack>
      <div role="status">
        <Text tone="soft">{t(step.at === 'waiting' ? 'deviceWaiting' : 'waiting')}</Text>
      </div>
      {step.at === 'waiting' && step.heldUntil !== undefined && (
        <Text tone="soft">{t('deviceHeld', { time: formatTime(step.heldUntil) })}</Text>
      )}
    </>
  )
}
