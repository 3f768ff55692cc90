import { frameTexts } from '@latchkey/protocol/frame/messages'
import type { VaultMe } from '@latchkey/protocol/http/vault'
import { Button, Notice, Skeleton, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { HandoverAnswer, HandoverQuestion } from '../handover/messages.ts'
import type { Desk } from '../page/desk.ts'
import { pageSentence } from '../page/pageSentence.ts'
import { SignIn } from '../page/SignIn.tsx'
import { sentenceFor } from '../refusal.ts'
import { Origin, Sheet } from '../screens/parts.tsx'
import { say } from '../screens/words.ts'
import type { OpenWallet } from '../wallet.ts'
import { isTakenBack } from './doQuestion.ts'

type Now =
  | { readonly at: 'looking' }
  | { readonly at: 'out' }
  /** Somebody else is signed in than the page thinks of. */
  | { readonly at: 'other'; readonly me: VaultMe }
  | { readonly at: 'failed'; readonly because: string }

/** Who is here, before what the page asks is on screen: signs in, and opens the wallet. Draws nothing while an approval does. */
export function ContinuePage({
  desk,
  question: { asks, origin },
  perform,
  onAnswer,
}: {
  readonly desk: Desk
  readonly question: HandoverQuestion
  readonly perform: (opened: OpenWallet) => Promise<HandoverAnswer>
  readonly onAnswer: (answer: HandoverAnswer) => Promise<void>
}): ReactNode {
  const pending = useSyncExternalStore(desk.approvals.subscribe, desk.approvals.current)
  const [now, setNow] = useState<Now>({ at: 'looking' })
  const refuse = (): void => void onAnswer({ kind: 'refused', message: frameTexts.rejected })

  const goOn = useCallback(
    async ({ accepts = false } = {}): Promise<void> => {
      setNow({ at: 'looking' })
      try {
        const me = await desk.me()
        if (!me) return setNow({ at: 'out' })
        // Whoever has just come in, or says that it is to be them, connects; a request is for one account and no other.
        if (!(accepts && asks.kind === 'connect') && isOther(me, asks)) return setNow({ at: 'other', me })
        const opened = await desk.open(me)
        const answer = await perform(opened).catch((error: unknown): HandoverAnswer => {
          // What was asked is answered, whatever came of it: the page is told as it would be anywhere.
          return { kind: 'refused', message: sentenceFor(error) }
        })
        await onAnswer(answer)
      } catch (error) {
        if (isTakenBack(error)) await onAnswer({ kind: 'refused', message: frameTexts.rejected })
        else setNow({ at: 'failed', because: pageSentence(error) })
      }
    },
    [desk, asks, perform, onAnswer],
  )
  // Once: what it depends on belongs to this one question.
  const [start] = useState(() => goOn)
  useEffect(() => void start(), [start])

  if (pending) return null
  const cancel = (
    <Button wide onClick={refuse}>
      {say('cancel')}
    </Button>
  )
  switch (now.at) {
    case 'looking':
      return (
        <Sheet title={say('continueTitle')} footer={null}>
          <Stack gap={8}>
            <Skeleton kind="row" />
            <Skeleton kind="row" />
          </Stack>
          <div role="status">
            <Text tone="soft">{say('waiting')}</Text>
          </div>
        </Sheet>
      )
    case 'out':
      return (
        <SignIn
          desk={desk}
          note={undefined}
          onIn={() => void goOn({ accepts: true })}
          asker={{ origin, email: asks.email ?? undefined, onNo: refuse }}
        />
      )
    case 'other': {
      const { user } = now.me
      const change = (): void => {
        setNow({ at: 'looking' })
        desk.signOut().then(
          () => setNow({ at: 'out' }),
          (error: unknown) => setNow({ at: 'failed', because: pageSentence(error) }),
        )
      }
      return (
        <Sheet title={say('continueTitle')} footer={cancel}>
          <Origin origin={origin} wants="recoverAsks" behind={0} />
          <Notice kind="warning">{say('continueOther', { email: user.email ?? user.id })}</Notice>
          <Button wide kind="primary" onClick={change}>
            {say('continueChange')}
          </Button>
          {asks.kind === 'connect' && (
            <Button wide onClick={() => void goOn({ accepts: true })}>
              {say('continueAs', { email: user.email ?? user.id })}
            </Button>
          )}
        </Sheet>
      )
    }
    case 'failed':
      return (
        <Sheet title={say('continueTitle')} footer={cancel}>
          <Notice kind="error" action={{ label: say('retry'), onClick: () => void goOn() }}>
            {now.because}
          </Notice>
        </Sheet>
      )
  }
}

/** Whether `me` is somebody else than was asked for: another account, or another address than was typed. */
function isOther({ user }: VaultMe, asks: HandoverQuestion['asks']): boolean {
  if (asks.kind === 'request') return user.id !== asks.userId
  return asks.email !== undefined && asks.email.trim().toLowerCase() !== user.email?.toLowerCase()
}
