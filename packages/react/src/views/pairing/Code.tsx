import { Button, LinkButton, Live, Notice, QrCode, Skeleton, Text, useCss } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { usePairingText } from '../../i18n/usePairingText.ts'
import { isMobile } from '../isMobile.ts'
import { useCopy } from '../useCopy.ts'
import css from './pairing.css?inline'
import type { PairingNow } from './usePairing.ts'

/** A code to scan, and the same as a link to copy. */
export function Code({
  now: { state },
  name,
  logo,
}: {
  readonly now: PairingNow
  /** The wallet's, where one was picked. */
  readonly name: string | undefined
  readonly logo: string | undefined
}): ReactNode {
  useCss(css)
  const latchkey = useLatchkey()
  const text = usePairingText()
  const { copying, copy } = useCopy()
  const uri = state.offer?.uri
  const instruction =
    state.status === 'entering'
      ? text('pairing.entering')
      : uri === undefined
        ? text('pairing.preparing')
        : name === undefined
          ? text('pairing.scanAny')
          : text('pairing.scan', { wallet: name })
  return (
    <>
      {uri === undefined ? (
        <div className="code-room">
          <Skeleton kind="square" />
        </div>
      ) : (
        <QrCode value={uri} label={text('pairing.qr')} logo={logo} />
      )}
      <div role="status">
        <Text tone="soft">{instruction}</Text>
      </div>
      {/* A phone cannot scan itself; some answer this scheme with a choice of wallets. */}
      {uri !== undefined && name === undefined && isMobile(latchkey) && (
        <LinkButton kind="primary" wide icon="external" href={uri} target="_self">
          {text('pairing.openAny')}
        </LinkButton>
      )}
      <Button
        wide
        icon={copying === 'copied' ? 'check' : 'copy'}
        disabled={uri === undefined}
        onClick={() => uri !== undefined && void copy(uri)}
      >
        {text(copying === 'copied' ? 'pairing.copied' : 'pairing.copy')}
      </Button>
      <Live>{copying === 'copied' ? text('pairing.copied') : ''}</Live>
      {copying === 'failed' && uri !== undefined && (
        <Notice kind="warning" title={text('pairing.copyFailed')}>
          <bdi className="code-link" dir="ltr">
            {uri}
          </bdi>
        </Notice>
      )}
    </>
  )
}
