import { Button, LinkButton, Live, Notice, QrCode, Screen, Skeleton, Text, useCss, WaitRing } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useLoginText } from '../../i18n/useLoginText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { walletOf } from '../../select.ts'
import { isMobile } from '../isMobile.ts'
import { useCopy } from '../useCopy.ts'
import { useRun } from '../useRun.ts'
import { Waiting } from '../Waiting.tsx'
import css from './login.css?inline'
import { loginReason } from './loginReason.ts'
import { SocialLogo } from './SocialLogo.tsx'
import { useLeaving } from './useLeaving.ts'
import { isFrameLate, useLogin } from './useLogin.ts'

/** A link to Farcaster: scanned from a desktop, opened on a phone. Going back takes it back. */
export function ConnectingFarcaster(_: ViewProps<'ConnectingFarcaster'>): ReactNode {
  useCss(css)
  const latchkey = useLatchkey()
  const text = useLoginText()
  const now = useLogin()
  const { login, state, lost } = now
  const late = isFrameLate(now)
  const { copying, copy } = useCopy()
  const { run, again } = useRun(async () => login?.farcaster(), { off: !login })
  useLeaving(() => {
    // A modal that was merely closed keeps the link; whoever arrived has no more use for it.
    const { modal } = latchkey.state.get()
    if (modal.open && walletOf(latchkey.state.get())?.type !== 'AUTH') login?.cancelFarcaster()
  })
  if (lost || run.status === 'failed')
    return (
      <Screen title={text('farcaster.title')} align="center">
        <Waiting
          state="failed"
          mark={
            <span className="mark">
              <SocialLogo provider="farcaster" />
            </span>
          }
          title={text('farcaster.failed')}
          body={run.status === 'failed' ? loginReason(text, run.error) : text('login.loadFailed')}
        />
        <Button kind="primary" wide icon="retry" onClick={again}>
          {text('common.retry')}
        </Button>
      </Screen>
    )

  const url = state.farcasterUrl
  const mobile = isMobile(latchkey)
  return (
    <Screen title={text('farcaster.title')} align="center">
      {mobile ? (
        <WaitRing state="waiting">
          <span className="mark">
            <SocialLogo provider="farcaster" />
          </span>
        </WaitRing>
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
        icon={copying === 'copied' ? 'check' : 'copy'}
        disabled={url === undefined}
        onClick={() => url !== undefined && void copy(url)}
      >
        {text(copying === 'copied' ? 'farcaster.copied' : 'farcaster.copy')}
      </Button>
      <Live>{copying === 'copied' ? text('farcaster.copied') : ''}</Live>
      {copying === 'failed' && (
        <Notice kind="warning" title={text('farcaster.copyFailed')}>
          <bdi dir="ltr">{url}</bdi>
        </Notice>
      )}
    </Screen>
  )
}
