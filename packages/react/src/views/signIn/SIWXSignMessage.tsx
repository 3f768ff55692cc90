import { isSignInRequired } from '@latchkey/core'
import { type AccountId, addressOf, chainOf } from '@latchkey/protocol/caip'
import {
  Avatar,
  Button,
  Icon,
  LiveRegion,
  moreIcons,
  Notice,
  Screen,
  Skeleton,
  Stack,
  shortAddress,
  Text,
  useStyleSheet,
  WalletLogo,
} from '@latchkey/ui'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useWalletInfo } from '../../hooks/useWalletInfo.ts'
import { useWalletImage } from '../useDirectory.ts'
import type { ViewProps } from '../viewProps.ts'
import css from './signIn.css?inline'
import { translateSignInError } from './translateSignInError.ts'
import { useSignInRequest } from './useSignInRequest.ts'
import { useSignInTranslations } from './useSignInTranslations.ts'

/** Renders the view that prompts the user to sign in. It shows the requesting site, the account and the consequences. */
export function SIWXSignMessage(_: ViewProps<'SIWXSignMessage'>): ReactNode {
  return <SignInScreen />
}

/** Renders the same view as `SIWXSignMessage`, but for hosts that use the SIWE callbacks. Tracks clicks on the sign-in button. */
export function ConnectingSiwe(_: ViewProps<'ConnectingSiwe'>): ReactNode {
  const latchkey = useLatchkey()
  return <SignInScreen onSign={() => latchkey.track({ event: 'CLICK_SIGN_SIWX_MESSAGE' })} />
}

/** Renders the screen for both views. `onSign` is called when the user clicks the sign-in button. */
function SignInScreen({ onSign }: { readonly onSign?: () => void }): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useSignInTranslations()
  const now = useSignInRequest()
  const { status } = now
  const connected = useAccount()
  // Cancelling disconnects the wallet while the card is still visible, so the last account and wallet stay on screen.
  const account = useLast(now.account ?? connected.account)
  const wallet = useLast(useWalletInfo())
  const walletImage = useWalletImage(
    wallet?.icon === undefined && wallet?.imageId ? { image_id: wallet.imageId } : undefined,
  )
  const requestId = useId()
  const primary = useRef<HTMLButtonElement>(null)
  // A layout effect runs before the heading takes focus. An inline panel never takes focus from the page.
  useLayoutEffect(() => {
    if (latchkey.options.embedded !== true) primary.current?.focus({ preventScroll: true })
  }, [latchkey])
  useWithoutToast(now.error?.message)

  if (account === undefined) return <Nobody />
  const { app } = latchkey.options
  const done = status === 'signed-in'
  const checking = status === 'checking' || (status === 'unknown' && now.error === undefined)
  const signing = status === 'signing'
  const cancelling = status === 'cancelling'
  const error = checking || signing || cancelling || done ? undefined : now.error
  const why = error && translateSignInError(text, { wallet: wallet?.name ?? text('common.yourWallet'), error })
  const press = (): void => {
    if (done) latchkey.modal.close()
    if (done || checking || cancelling) return
    onSign?.()
    now.sign()
  }
  const wait = checking
    ? text('signIn.checking')
    : signing
      ? text('signIn.waiting')
      : cancelling
        ? text('signIn.cancelling')
        : ''
  return (
    <Screen
      title={text('signIn.title')}
      align="center"
      footer={
        <div className="sign-buttons">
          <Stack gap={8}>
            <Button
              ref={primary}
              kind="primary"
              wide
              busy={signing}
              aria-disabled={checking || cancelling || undefined}
              aria-describedby={requestId}
              onClick={press}
            >
              {signing ? wait : text(done ? 'modal.close' : error ? 'common.retry' : 'signIn.title')}
            </Button>
            {!done && (
              <Button wide busy={cancelling} onClick={now.cancel}>
                {cancelling ? wait : text('signIn.cancel')}
              </Button>
            )}
          </Stack>
        </div>
      }
    >
      <div className="sign-thumbs">
        <WalletLogo name={app?.name || location.host} src={app?.icons?.[0]} size={56} />
        <WalletLogo name={wallet?.name ?? ''} src={wallet?.icon ?? walletImage} size={56} />
      </div>
      <div id={requestId}>
        <Stack gap={4} align="center">
          {/* The app's name is provided by the page, whereas the host is reported by the browser. */}
          <Text kind="title">
            <bdi dir="ltr">{location.host}</bdi>
          </Text>
          <Text tone="soft">
            {done
              ? text('signIn.signedIn')
              : app?.name
                ? text.rich('signIn.asks', { app: <bdi key="app">{app.name}</bdi> })
                : text('signIn.asksNameless')}
          </Text>
        </Stack>
      </div>
      <Facts account={account} checking={checking} />
      {!done && <Says />}
      {why && (
        <Notice kind="error" title={why.title}>
          {why.body}
        </Notice>
      )}
      {!done && <Terms />}
      <LiveRegion>{wait}</LiveRegion>
    </Screen>
  )
}

/** Renders the account that is about to be signed in, and the account's network. */
function Facts({ account, checking }: { readonly account: AccountId; readonly checking: boolean }): ReactNode {
  const latchkey = useLatchkey()
  const text = useSignInTranslations()
  const identity = useStore((state) => state.account.identity)
  const known = 'value' in identity ? identity.value : undefined
  const address = addressOf(account)
  const chain = chainOf(account)
  return (
    <dl className="sign-facts">
      <div>
        <dt>{text('account.title')}</dt>
        <dd>
          {checking ? (
            <Skeleton width="100%" />
          ) : (
            <>
              <Avatar address={address} src={known?.image} size={20} />
              <bdi dir={known?.name ? undefined : 'ltr'} title={address}>
                {known?.name ?? shortAddress(address)}
              </bdi>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>{text('account.network')}</dt>
        <dd>{checking ? <Skeleton width="64%" /> : <bdi>{latchkey.network(chain)?.name ?? chain}</bdi>}</dd>
      </div>
    </dl>
  )
}

/** Explains what signing in does, and that it is free. */
function Says(): ReactNode {
  const text = useSignInTranslations()
  return (
    <ul className="sign-says">
      <li>
        <Icon name={moreIcons.shield} />
        {text('signIn.proves')}
      </li>
      <li>
        <Icon name="check" />
        {text('signIn.free')}
      </li>
    </ul>
  )
}

/** Explains what happens if the user declines. The text is emphasized if the user tries to leave a required sign-in. */
function Terms(): ReactNode {
  const { options } = useLatchkey()
  const text = useSignInTranslations()
  const shaking = useStore((state) => state.modal.shaking)
  const [shakes, setShakes] = useState(0)
  useEffect(() => {
    if (shaking) setShakes((before) => before + 1)
  }, [shaking])
  const required = isSignInRequired(options)
  const label = text(required ? 'signIn.required' : 'signIn.optional')
  return (
    <>
      <div className="sign-terms" data-urgent={(required && shakes > 0) || undefined}>
        <Text tone={required && shakes > 0 ? 'strong' : 'soft'}>{label}</Text>
      </div>
      {/* A new element is rendered each time, because screen readers do not announce unchanged content again. */}
      <LiveRegion urgent>{required && shakes > 0 && <span key={shakes}>{label}</span>}</LiveRegion>
    </>
  )
}

function Nobody(): ReactNode {
  const latchkey = useLatchkey()
  const text = useSignInTranslations()
  return (
    <Screen title={text('signIn.title')} align="center">
      <Text kind="row">{text('account.none.title')}</Text>
      <Button kind="primary" wide onClick={() => latchkey.modal.reset('Connect')}>
        {text('connect.title')}
      </Button>
    </Screen>
  )
}

/** Returns `now`, or its last defined value if `now` is `undefined`. */
function useLast<T>(now: T | undefined): T | undefined {
  const [last, setLast] = useState(now)
  if (now !== undefined && now !== last) setLast(now)
  return now ?? last
}

/** Hides the toast for an error that the view already shows. The toast would disappear after a while and is only in English. */
function useWithoutToast(message: string | undefined): void {
  const latchkey = useLatchkey()
  const toast = useStore((state) => state.toast)
  useLayoutEffect(() => {
    if (message !== undefined && toast?.text === message) latchkey.hideToast()
  }, [latchkey, toast, message])
}
