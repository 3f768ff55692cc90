import {
  Button,
  LinkButton,
  LiveRegion,
  moreIcons,
  Notice,
  ProgressRing,
  QrCode,
  Screen,
  Skeleton,
  Text,
  useStyleSheet,
} from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { selectWallet } from '../../selectors.ts'
import { isMobile } from '../isMobile.ts'
import { ProgressStatus } from '../ProgressStatus.tsx'
import { useAsyncTask } from '../useAsyncTask.ts'
import { useCopyToClipboard } from '../useCopyToClipboard.ts'
import type { ViewProps } from '../viewProps.ts'
import css from './login.css?inline'
import { SocialLogo } from './SocialLogo.tsx'
import { translateLoginError } from './translateLoginError.ts'
import { isFrameSlow, useLogin } from './useLogin.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'
import { useOnUnmount } from './useOnUnmount.ts'

// Size budget: 7.5 kB, because of the QR encoder, the waiting state and the link.

/** Renders a Farcaster login link as a QR code, or as a button on a phone. Going back cancels the login. */
export function ConnectingFarcaster(_: ViewProps<'ConnectingFarcaster'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useLoginTranslations()
  const now = useLogin()
  const { login, state, loadFailed } = now
  const late = isFrameSlow(now)
  const { status: copyStatus, copy } = useCopyToClipboard()
  const { state: task, retry } = useAsyncTask(async () => login?.farcaster(), { disabled: !login })
  useOnUnmount(() => {
    // The link stays valid if the user closes the modal. Once the user has logged in, there is nothing to cancel.
    const { modal } = latchkey.state.get()
    if (modal.open && selectWallet(latchkey.state.get())?.type !== 'AUTH') login?.cancelFarcaster()
  })
  if (loadFailed || task.status === 'failed')
    return (
      <Screen title={text('farcaster.title')} align="center">
        <ProgressStatus
          state="failed"
          logo={
            <span className="mark">
              <SocialLogo provider="farcaster" />
            </span>
          }
          title={text('farcaster.failed')}
          body={task.status === 'failed' ? translateLoginError(text, task.error) : text('login.loadFailed')}
        />
        <Button kind="primary" wide icon="retry" onClick={retry}>
          {text('common.retry')}
        </Button>
      </Screen>
    )

  const url = state.farcasterUrl
  const mobile = isMobile(latchkey)
  return (
    <Screen title={text('farcaster.title')} align="center">
      {mobile ? (
        <ProgressRing state="waiting">
          <span className="mark">
            <SocialLogo provider="farcaster" />
          </span>
        </ProgressRing>
      ) : url === undefined ? (
        <div className="qr-room">
          <Skeleton kind="square" />
        </div>
      ) : (
        <QrCode value={url} label={text('farcaster.qr')} size={240} />
      )}
      <div role="status">
        <Text tone="soft">
          {text(
            late
              ? 'login.unreachable'
              : url === undefined
                ? 'farcaster.preparing'
                : mobile
                  ? 'farcaster.tap'
                  : 'farcaster.scan',
          )}
        </Text>
      </div>
      {mobile && url !== undefined && /^(https?|farcaster|warpcast):\/\/[^/@\\]+(\/|$)/i.test(url) && (
        <LinkButton kind="primary" wide icon="external" href={url}>
          {text('farcaster.open')}
        </LinkButton>
      )}
      <Button
        wide
        icon={copyStatus === 'copied' ? 'check' : moreIcons.copy}
        disabled={url === undefined}
        onClick={() => url !== undefined && void copy(url)}
      >
        {text(copyStatus === 'copied' ? 'farcaster.copied' : 'farcaster.copy')}
      </Button>
      <LiveRegion>{copyStatus === 'copied' ? text('farcaster.copied') : ''}</LiveRegion>
      {copyStatus === 'failed' && (
        <Notice kind="warning" title={text('farcaster.copyFailed')}>
          <bdi dir="ltr">{url}</bdi>
        </Notice>
      )}
    </Screen>
  )
}
