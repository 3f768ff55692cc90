import { frameTexts } from '@latchkey/protocol/frame/messages'
import type { KeysMe, SocialProvider } from '@latchkey/protocol/http/keys'
import { Button, Notice, Skeleton, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { HandoverRequest, HandoverResponse } from '../handover/handoverMessages.ts'
import { publicErrorMessage } from '../publicError.ts'
import { Origin, Sheet } from '../screens/approvalScreenParts.tsx'
import { t } from '../texts/translations.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import type { SocialSignIn } from '../walletPage/loginMethods.ts'
import { pageErrorText } from '../walletPage/pageErrorText.ts'
import { SignIn } from '../walletPage/SignIn.tsx'
import type { WalletPageController } from '../walletPage/walletPageController.ts'
import { isCancellation } from './performHandover.ts'
import { FarcasterSignIn, providerNames, SocialSignIn as SocialSignInForm } from './SocialSignIn.tsx'

type PageState =
  | { readonly at: 'looking' }
  /** If `atOnce` is set, the social login starts without a click, because the user has already clicked to request it. */
  | { readonly at: 'out'; readonly atOnce: boolean; readonly failed?: string }
  /** The logged-in user is not the user that the page expects. */
  | { readonly at: 'other'; readonly me: KeysMe }
  | { readonly at: 'failed'; readonly because: string }

/** Logs the user in and opens the wallet before the request is displayed. Renders nothing while an approval is pending. */
export function CrossSitePage({
  controller,
  question: { action, origin },
  returned,
  leaveFor,
  perform,
  onAnswer,
}: {
  readonly controller: WalletPageController
  readonly question: HandoverRequest
  /** The result of a redirect to a provider, or `undefined` if there was none. */
  readonly returned: ReturnedFromProvider | undefined
  readonly leaveFor: (provider: SocialProvider) => Promise<void>
  readonly perform: (opened: OpenedWallet, social: SocialSignIn | undefined) => Promise<HandoverResponse>
  readonly onAnswer: (answer: HandoverResponse) => Promise<void>
}): ReactNode {
  const pending = useSyncExternalStore(controller.approvals.subscribe, controller.approvals.current)
  const [now, setNow] = useState<PageState>({ at: 'looking' })
  const provider = action.kind === 'connect' ? action.provider : undefined
  const refuse = (): void => void onAnswer({ kind: 'refused', message: frameTexts.rejected })

  const goOn = useCallback(
    async ({ accepts = false, social }: GoingOn = {}): Promise<void> => {
      setNow({ at: 'looking' })
      try {
        const me = await controller.me()
        if (!me) return setNow({ at: 'out', atOnce: returned === undefined })
        // For a connection, the user can accept the account they are logged in with. Any other request is bound to one account.
        if (!(accepts && action.kind === 'connect') && isOther(me, action)) return setNow({ at: 'other', me })
        const opened = await controller.open(me)
        const answer = await perform(opened, social).catch((error: unknown): HandoverResponse => {
          // Respond with the error, as for any other request from the page.
          return { kind: 'refused', message: publicErrorMessage(error) }
        })
        await onAnswer(answer)
      } catch (error) {
        if (isCancellation(error)) await onAnswer({ kind: 'refused', message: frameTexts.rejected })
        else setNow({ at: 'failed', because: pageErrorText(error) })
      }
    },
    [controller, action, returned, perform, onAnswer],
  )
  const begin = async (): Promise<void> => {
    if (returned?.resultUri === undefined) return goOn()
    const social = await controller.signInBySocial(returned.resultUri).catch((error: unknown) => {
      setNow({ at: 'out', atOnce: false, failed: pageErrorText(error) })
    })
    if (social) await goOn({ accepts: true, social })
  }
  // Run only once, because the dependencies do not change for this request.
  const [start] = useState(() => begin)
  useEffect(() => void start(), [start])

  if (pending) return null
  const cancel = (
    <Button wide onClick={refuse}>
      {t('cancel')}
    </Button>
  )
  switch (now.at) {
    case 'looking':
      return (
        <Sheet title={t('continueTitle')} footer={null}>
          <Stack gap={8}>
            <Skeleton kind="row" />
            <Skeleton kind="row" />
          </Stack>
          <div role="status">
            <Text tone="soft">{t('waiting')}</Text>
          </div>
        </Sheet>
      )
    case 'out':
      if (provider === 'farcaster')
        return (
          <FarcasterSignIn
            controller={controller}
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
          controller={controller}
          note={undefined}
          onIn={() => void goOn({ accepts: true })}
          caller={{ origin, email: action.email ?? undefined, onNo: refuse }}
        />
      )
    case 'other': {
      const { user } = now.me
      const email = user.email ?? user.userName ?? user.id
      const name = provider && providerNames[provider]
      const change = (): void => {
        setNow({ at: 'looking' })
        controller.signOut().then(
          () => setNow({ at: 'out', atOnce: true }),
          (error: unknown) => setNow({ at: 'failed', because: pageErrorText(error) }),
        )
      }
      return (
        <Sheet title={t('continueTitle')} footer={cancel}>
          <Origin origin={origin} wants="recoverAsks" behind={0} />
          {name === undefined ? (
            <Notice kind="warning">{t('continueOther', { email })}</Notice>
          ) : (
            <Notice kind="info">{t('continueSocial', { email, provider: name })}</Notice>
          )}
          <Button wide kind="primary" onClick={change}>
            {name === undefined ? t('continueChange') : t('socialWith', { provider: name })}
          </Button>
          {action.kind === 'connect' && (
            <Button wide onClick={() => void goOn({ accepts: true })}>
              {t('continueAs', { email })}
            </Button>
          )}
        </Sheet>
      )
    }
    case 'failed':
      return (
        <Sheet title={t('continueTitle')} footer={cancel}>
          <Notice kind="error" action={{ label: t('retry'), onClick: () => void goOn() }}>
            {now.because}
          </Notice>
        </Sheet>
      )
  }
}

/** The result of a redirect to a provider. `resultUri` is `undefined` if the user went back. */
export interface ReturnedFromProvider {
  readonly resultUri: string | undefined
}

interface GoingOn {
  readonly accepts?: boolean
  readonly social?: SocialSignIn
}

/**
 * Whether `me` might not be the expected user, because the account or email address differs or because a provider is requested.
 */
function isOther({ user }: KeysMe, action: HandoverRequest['action']): boolean {
  if (action.kind === 'request') return user.id !== action.userId
  if (action.provider) return true
  return action.email !== undefined && action.email.trim().toLowerCase() !== user.email?.toLowerCase()
}
