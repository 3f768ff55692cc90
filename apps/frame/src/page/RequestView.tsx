import type { VaultTransfer } from '@latchkey/protocol/http/vault'
import { walletPath } from '@latchkey/protocol/http/vault'
import { Button, Notice, Spinner, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApprovalButtons } from '../screens/ApprovalButtons.tsx'
import { Facts, Sheet } from '../screens/parts.tsx'
import { timeOf } from '../screens/times.ts'
import { transferWord } from '../screens/transferWord.ts'
import { say, type Word } from '../screens/words.ts'
import type { Arrival } from './arrival.ts'
import type { Approving } from './desk.ts'
import { PickWords } from './PickWords.tsx'
import type { Inside } from './pageContext.ts'

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
  | { readonly at: 'failed'; readonly because: Word }

/**
 * Another device asks to be let in. A page that has its visitor press again and again must get nothing: the owner has come here by
 * themselves, opens the wallet anew for this request, finds the other device's words among others, and says yes somewhere else.
 */
export function RequestView({
  desk,
  transfer,
  approving,
  arrival,
  onProve,
  onBack,
}: Inside & {
  readonly transfer: VaultTransfer
  /** The wallet as it was opened for this request; absent before. */
  readonly approving: Approving | undefined
  readonly arrival: Arrival
  /** Opens the wallet anew for this request. */
  readonly onProve: () => void
  readonly onBack: (note?: string) => void
}): ReactNode {
  const [step, setStep] = useState<Step>(
    transfer.offer === null ? { at: approving ? 'waiting' : 'asked' } : { at: 'failed', because: 'requestElsewhere' },
  )
  // A browser that does not tell how this page came about may have been led here like any other.
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
    const answered = <Answer,>(show: (answer: (said: Answer) => void) => void): Promise<Answer> =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        show(resolve)
      })
    approving
      .letIn({
        signal,
        pick: (sets) =>
          answered<number | undefined>((answer) =>
            setStep({
              at: 'picking',
              sets,
              pick: (picked) => {
                // What was pressed high is confirmed low, and the other way round.
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
        () => newest.current(say('requestDone', { name: transfer.name })),
        (error: unknown) => {
          if (!signal.aborted) setStep({ at: 'failed', because: transferWord(error) })
        },
      )
    return () => left.abort()
  }, [approving, isOwner, transfer])

  const refuse = (): void => {
    talk.current?.abort()
    setStep({ at: 'refusing' })
    // What could not be told ends by itself in ten minutes.
    desk
      .refuse(transfer)
      .catch(() => undefined)
      .finally(() => newest.current(say('requestRefused', { name: transfer.name })))
  }
  const facts = (
    <Facts
      facts={[
        { name: say('requestWho'), value: transfer.name },
        { name: say('requestWhen'), value: timeOf(transfer.createdAt) },
      ]}
    />
  )
  const back = (
    <Button wide onClick={() => onBack()}>
      {say('back')}
    </Button>
  )
  if (!isOwner)
    return (
      <Sheet title={say('requestTitle')} footer={back}>
        {facts}
        <Notice kind="warning">{say('requestForeign', { address: `${window.location.host}${walletPath}` })}</Notice>
      </Sheet>
    )
  switch (step.at) {
    case 'asked':
      return (
        <Sheet
          title={say('requestTitle')}
          footer={<ApprovalButtons yes="requestGoOn" no="requestNo" doing={false} onYes={onProve} onNo={refuse} />}
        >
          {facts}
          <Notice kind="warning">{say('requestText')}</Notice>
          {transfer.heldUntil !== undefined && (
            <Notice kind="info">{say('requestHeldUntil', { time: timeOf(transfer.heldUntil) })}</Notice>
          )}
        </Sheet>
      )
    case 'picking':
      return <PickWords sets={step.sets} onPick={step.pick} />
    case 'confirming': {
      const decide = (
        <ApprovalButtons yes="requestYes" no="requestNo" doing={false} onYes={() => step.confirm(true)} onNo={refuse} />
      )
      return (
        <Sheet title={say('requestTitle')} footer={step.isLow ? decide : null}>
          {!step.isLow && decide}
          {facts}
          <Text>{say('requestConfirm')}</Text>
        </Sheet>
      )
    }
    case 'failed':
      return (
        <Sheet title={say('requestTitle')} footer={back}>
          {facts}
          <Notice kind="error">{say(step.because)}</Notice>
          <Text>{say('requestAskAgain')}</Text>
        </Sheet>
      )
    default:
      return (
        <Sheet
          title={say('requestTitle')}
          footer={
            <Button wide disabled={step.at !== 'waiting'} onClick={refuse}>
              {say('cancel')}
            </Button>
          }
        >
          {facts}
          <div role="status">
            <Stack direction="row" align="center">
              <Spinner />
              <Text tone="soft">
                {say(step.at === 'giving' ? 'requestGiving' : step.at === 'refusing' ? 'waiting' : 'requestWaiting')}
              </Text>
            </Stack>
          </div>
        </Sheet>
      )
  }
}
