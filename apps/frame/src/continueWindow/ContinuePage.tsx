import { frameTexts } from '@latchkey/protocol/frame/messages'
import type { SocialProvider, VaultMe } from '@latchkey/protocol/http/vault'
import { Button, Notice, Skeleton, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { HandoverAnswer, HandoverQuestion } from '../handover/messages.ts'
import type { Desk, SocialSignIn } from '../page/desk.ts'
import { pageSentence } from '../page/pageSentence.ts'
import { SignIn } from '../page/SignIn.tsx'
import { sentenceFor } from '../refusal.ts'
import { Origin, Sheet } from '../screens/parts.tsx'
import { say } from '../screens/words.ts'
import type { OpenWallet } from '../wallet.ts'
import { isTakenBack } from './doQuestion.ts'
import { FarcasterSignIn, providerNames, SocialSignIn as SocialSignInForm } from './SocialSignIn.tsx'

type Now =
  | { readonly at: 'looking' }
  /** `atOnce`: a social log-in that was pressed on the page begins without another press. */
  | { readonly at: 'out'; readonly atOnce: boolean; readonly failed?: string }
  /** Somebody else is signed in than the page thinks of. */
  | { readonly at: 'other'; readonly me: VaultMe }
  | { readonly at: 'failed'; readonly because: string }

/** Who is here, before what the page asks is on screen: signs in, and opens the wallet. Draws nothing while an approval does. */
export function ContinuePage({
  desk,
  question: { asks, origin },
  returned,
  leaveFor,
  perform,
  onAnswer,
}: {
  readonly desk: Desk
  readonly question: HandoverQuestion
  /** How this window came back from a provider; `undefined` where it has not been at one. */
  readonly returned: ReturnedFromProvider | undefined
  readonly leaveFor: (provider: SocialProvider) => Promise<void>
  readonly perform: (opened: OpenWallet, social: SocialSignIn | undefined) => Promise<HandoverAnswer>
  readonly onAnswer: (answer: HandoverAnswer) => Promise<void>
}): ReactNode {
  const pending = useSyncExternalStore(desk.approvals.subscribe, desk.approvals.current)
  const [now, setNow] = useState<Now>({ at: 'looking' })
  const provider = asks.kind === 'connect' ? asks.provider : undefined
  const refuse = (): void => void onAnswer({ kind: 'refused', message: frameTexts.rejected })

  const goOn = useCallback(
    async ({ accepts = false, social }: GoingOn = {}): Promise<void> => {
      setNow({ at: 'looking' })
      try {
        const me = await desk.me()
        if (!me) return setNow({ at: 'out', atOnce: returned === undefined })
        // Whoever has just come in, or says that it is to be them, connects; a request is for one account and no other.
        if (!(accepts && asks.kind === 'connect') && isOther(me, asks)) return setNow({ at: 'other', me })
        const opened = await desk.open(me)
        const answer = await perform(opened, social).catch((error: unknown): HandoverAnswer => {
          // What was asked is answered, whatever came of it: the page is told as it would be anywhere.
          return { kind: 'refused', message: sentenceFor(error) }
        })
        await onAnswer(answer)
      } catch (error) {
        if (isTakenBack(error)) await onAnswer({ kind: 'refused', message: frameTexts.rejected })
        else setNow({ at: 'failed', because: pageSentence(error) })
      }
    },
    [desk, asks, returned, perform, onAnswer],
  )
  const begin = async (): Promise<void> => {
    if (returned?.resultUri === undefined) return goOn()
    const social = await desk.signInBySocial(returned.resultUri).catch((error: unknown) => {
      setNow({ at: 'out', atOnce: false, failed: sentenceFor(error) })
    })
    if (social) await goOn({ accepts: true, social })
  }
  // Once: what it depends on belongs to this one question.
  const [start] = useState(() => begin)
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
      if (provider === 'farcaster')
        return (
          <FarcasterSignIn
            desk={desk}
            origin={origin}
            failed={now.failed}
            onIn={(social) => void goOn({ accepts: true, social })}
            onNo={refuse}
          />
        )
      if (provider)
        return (
          <SocialSignInForm
            provider={provider}
            origin={origin}
            failed={now.failed}
            atOnce={now.atOnce}
            leaveFor={leaveFor}
            onNo={refuse}
          />
        )
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
      const email = user.email ?? user.userName ?? user.id
      const name = provider && providerNames[provider]
      const change = (): void => {
        setNow({ at: 'looking' })
        desk.signOut().then(
          () => setNow({ at: 'out', atOnce: true }),
          (error: unknown) => setNow({ at: 'failed', because: pageSentence(error) }),
        )
      }
      return (
        <Sheet title={say('continueTitle')} footer={cancel}>
          <Origin origin={origin} wants="recoverAsks" behind={0} />
          {name === undefined ? (
            <Notice kind="warning">{say('continueOther', { email })}</Notice>
          ) : (
            <Notice kind="info">{say('continueSocial', { email, provider: name })}</Notice>
          )}
          <Button wide kind="primary" onClick={change}>
            {name === undefined ? say('continueChange') : say('socialWith', { provider: name })}
          </Button>
          {asks.kind === 'connect' && (
            <Button wide onClick={() => void goOn({ accepts: true })}>
              {say('continueAs', { email })}
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

/** How a window came back from a provider: with a result, or, where the person went back, without one. */
export interface ReturnedFromProvider {
  readonly resultUri: string | undefined
}

interface GoingOn {
  readonly accepts?: boolean
  readonly social?: SocialSignIn
}

/** Whether `me` may be somebody else than was asked for: another account, another address than was typed, or one at a provider. */
function isOther({ user }: VaultMe, asks: HandoverQuestion['asks']): boolean {
  if (asks.kind === 'request') return user.id !== asks.userId
  if (asks.provider) return true
  return asks.email !== undefined && asks.email.trim().toLowerCase() !== user.email?.toLowerCase()
}
