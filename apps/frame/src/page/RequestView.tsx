import type { VaultTransfer } from '@latchkey/protocol/http/vault'
import { Button, Notice, Spinner, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Decide } from '../screens/Decide.tsx'
import { Facts, Sheet, Words } from '../screens/parts.tsx'
import { timeOf } from '../screens/times.ts'
import { transferWord } from '../screens/transferWord.ts'
import { say, type Word } from '../screens/words.ts'
import type { Inside } from './Page.tsx'

type Step =
  | { readonly at: 'asked' }
  | { readonly at: 'waiting' }
  | { readonly at: 'refusing' }
  | { readonly at: 'comparing'; readonly words: readonly string[]; readonly answer: (same: boolean) => void }
  | { readonly at: 'giving'; readonly words: readonly string[] }
  | { readonly at: 'failed'; readonly because: Word }

/** Another device asks to be let in: who, the four words, and a yes that only a person gives. */
export function RequestView({
  desk,
  opened,
  transfer,
  onBack,
}: Inside & { readonly transfer: VaultTransfer; readonly onBack: (note?: string) => void }): ReactNode {
  const [step, setStep] = useState<Step>(
    transfer.offer === null ? { at: 'asked' } : { at: 'failed', because: 'requestElsewhere' },
  )
  const talk = useRef<AbortController>(undefined)
  useEffect(() => () => talk.current?.abort(), [])

  const goOn = (): void => {
    const now = new AbortController()
    talk.current = now
    const { signal } = now
    setStep({ at: 'waiting' })
    desk
      .answer(opened, transfer, {
        signal,
        compare: (words) =>
          new Promise((resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true })
            const answer = (same: boolean): void => {
              if (same) setStep({ at: 'giving', words })
              resolve(same)
            }
            setStep({ at: 'comparing', words, answer })
          }),
      })
      .then(
        () => onBack(say('requestDone', { name: transfer.name })),
        (error: unknown) => {
          if (!signal.aborted) setStep({ at: 'failed', because: transferWord(error) })
        },
      )
  }
  const refuse = (): void => {
    setStep({ at: 'refusing' })
    // What could not be told ends by itself in ten minutes.
    desk
      .refuse(transfer)
      .catch(() => undefined)
      .finally(() => onBack(say('requestRefused', { name: transfer.name })))
  }
  const facts = (
    <Facts
      facts={[
        { name: say('requestWho'), value: transfer.name },
        { name: say('requestWhen'), value: timeOf(transfer.createdAt) },
      ]}
    />
  )
  switch (step.at) {
    case 'asked':
      return (
        <Sheet
          title={say('requestTitle')}
          footer={<Decide yes="requestGoOn" no="requestNo" doing={false} onYes={goOn} onNo={refuse} />}
        >
          {facts}
          <Notice kind="warning">{say('requestText')}</Notice>
        </Sheet>
      )
    case 'comparing':
      return (
        <Sheet
          title={say('requestTitle')}
          footer={
            <Decide
              yes="requestYes"
              no="requestDiffer"
              doing={false}
              onYes={() => step.answer(true)}
              onNo={() => step.answer(false)}
            />
          }
        >
          {facts}
          <Text>{say('deviceCompare')}</Text>
          <Words words={step.words} />
        </Sheet>
      )
    case 'failed':
      return (
        <Sheet
          title={say('requestTitle')}
          footer={
            <Button wide onClick={() => onBack()}>
              {say('back')}
            </Button>
          }
        >
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
          {step.at === 'giving' && <Words words={step.words} />}
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
