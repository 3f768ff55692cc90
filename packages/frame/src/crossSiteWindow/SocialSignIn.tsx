import type { SocialName } from '@latchkey/protocol/frame/messages'
import type { SocialProvider } from '@latchkey/protocol/http/keys'
import { Button, LinkButton, Notice, QrCode, Skeleton, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { Origin, Sheet } from '../screens/approvalScreenParts.tsx'
import { t } from '../texts/translations.ts'
import type { SocialSignIn as SignedIn } from '../walletPage/loginMethods.ts'
import { pageErrorText } from '../walletPage/pageErrorText.ts'
import type { WalletPageController } from '../walletPage/walletPageController.ts'

/** The display names of social providers. */
export const providerNames: Readonly<Record<SocialName, string>> = {
  google: 'Google',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
  x: 'X',
  discord: 'Discord',
  farcaster: 'Farcaster',
}

interface SocialSignInProps {
  readonly origin: string
  /** The error of the last attempt. */
  readonly failed: string | undefined
  readonly onNo: () => void
}

/** Logs the user in with a provider by redirecting this window. */
export function SocialSignIn({
  provider,
  origin,
  failed,
  atOnce,
  leaveFor,
  onNo,
}: SocialSignInProps & {
  readonly provider: SocialProvider
  /** Whether to redirect without a click, because the user has already clicked to request the login. */
  readonly atOnce: boolean
  readonly leaveFor: (provider: SocialProvider) => Promise<void>
}): ReactNode {
  const [isLeaving, setLeaving] = useState(false)
  const [error, setError] = useState(failed)
  const leave = useCallback((): void => {
    setLeaving(true)
    setError(undefined)
    leaveFor(provider).catch((cause: unknown) => {
      setError(pageErrorText(cause))
      setLeaving(false)
    })
  }, [leaveFor, provider])
  // Redirect automatically only once. A user who returns to this window has to click.
  const [start] = useState(() => (atOnce ? leave : undefined))
  useEffect(() => start?.(), [start])
  return (
    <SocialSheet origin={origin} failed={error} onNo={onNo}>
      <Button wide kind="primary" busy={isLeaving} onClick={leave}>
        {t('socialWith', { provider: providerNames[provider] })}
      </Button>
    </SocialSheet>
  )
}

/** Logs the user in with the Farcaster app. Shows a QR code for the phone, and a link that opens the app on this device. */
export function FarcasterSignIn({
  controller,
  onIn,
  ...sheet
}: SocialSignInProps & {
  readonly controller: WalletPageController
  readonly onIn: (signedIn: SignedIn) => void
}): ReactNode {
  const [url, setUrl] = useState<string>()
  const [error, setError] = useState<string>()
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt starts over
  useEffect(() => {
    const left = new AbortController()
    setUrl(undefined)
    setError(undefined)
    controller
      .farcasterUrl()
      .then((link) => {
        if (!left.signal.aborted) setUrl(link)
        return controller.signInByFarcaster(left.signal)
      })
      .then(onIn)
      .catch((cause: unknown) => {
        if (!left.signal.aborted) setError(pageErrorText(cause))
      })
    return () => left.abort()
  }, [controller, tries])
  const again = { label: t('retry'), onClick: () => setTries(tries + 1) }
  return (
    <SocialSheet {...sheet} failed={undefined}>
      {error !== undefined ? (
        <Notice kind="error" action={again}>
          {error}
        </Notice>
      ) : (
        <Stack align="center">
          {url === undefined ? <Skeleton kind="square" /> : <QrCode value={url} size={240} label={t('farcasterQr')} />}
          <Text tone="soft">{t('farcasterScan')}</Text>
          {url !== undefined && /^(https?|farcaster|warpcast):\/\/[^/@\\]+(\/|$)/i.test(url) && (
            <LinkButton wide icon="external" href={url}>
              {t('farcasterOpen')}
            </LinkButton>
          )}
        </Stack>
      )}
    </SocialSheet>
  )
}

function SocialSheet({
  origin,
  failed,
  onNo,
  children,
}: SocialSignInProps & { readonly children: ReactNode }): ReactNode {
  return (
    <Sheet
      title={t('pageSignIn')}
      footer={
        <Button wide onClick={onNo}>
          {t('cancel')}
        </Button>
      }
    >
      <Origin origin={origin} wants="recoverAsks" behind={0} />
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      {children}
    </Sheet>
  )
}
