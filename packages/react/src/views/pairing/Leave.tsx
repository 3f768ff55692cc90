import type { Wallet } from '@latchkey/protocol/http/contract'
import { Button, LinkButton, Notice, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { usePairingText } from '../../i18n/usePairingText.ts'
import { useCopy } from '../useCopy.ts'
import { Waiting } from '../Waiting.tsx'
import type { PairingNow } from './usePairing.ts'

/** Goes to the wallet's app or page with the offer; apps by themselves as soon as there is one, a page when it is pressed. */
export function Leave({
  now: { pairing, state },
  wallet,
  by,
  logo,
}: {
  readonly now: PairingNow
  readonly wallet: Wallet
  readonly by: 'mobile' | 'web' | 'desktop'
  readonly logo: string | undefined
}): ReactNode {
  const text = usePairingText()
  const { copying, copy } = useCopy()
  const uri = state.offer?.uri
  const link = uri === undefined ? undefined : pairing?.link(wallet, by)
  const gone = useRef(false)
  useEffect(() => {
    // Once: a renewed offer must not throw the visitor out of the page again.
    if (by === 'web' || gone.current || !link || !pairing?.canLeave) return
    gone.current = true
    pairing.open(link)
  }, [by, link, pairing])

  if (pairing && !pairing.canLeave)
    return (
      <>
        <WalletLogo name={wallet.name} src={logo} size={64} />
        <Notice kind="warning" title={text('pairing.inApp')}>
          {text('pairing.inAppBody')}
        </Notice>
        <Button
          kind="primary"
          wide
          icon={copying === 'copied' ? 'check' : 'copy'}
          onClick={() => void copy(location.href)}
        >
          {text(copying === 'copied' ? 'pairing.copied' : 'pairing.copyPage')}
        </Button>
        {copying === 'failed' && (
          <Notice kind="warning" title={text('pairing.copyFailed')}>
            <bdi className="code-link" dir="ltr">
              {location.href}
            </bdi>
          </Notice>
        )}
      </>
    )
  return (
    <>
      <Waiting
        state={state.status === 'entering' ? 'done' : 'waiting'}
        mark={<WalletLogo name={wallet.name} src={logo} size={64} />}
        title={text('pairing.continue', { wallet: wallet.name })}
        body={text(state.status === 'entering' ? 'pairing.entering' : 'pairing.continueBody')}
      />
      {link ? (
        <LinkButton kind="primary" wide icon="external" href={link.url} target={link.target}>
          {text('pairing.open', { wallet: wallet.name })}
        </LinkButton>
      ) : (
        <Button kind="primary" wide icon="external" disabled>
          {text('pairing.open', { wallet: wallet.name })}
        </Button>
      )}
      <Button
        wide
        icon={copying === 'copied' ? 'check' : 'copy'}
        disabled={uri === undefined}
        onClick={() => uri !== undefined && void copy(uri)}
      >
        {text(copying === 'copied' ? 'pairing.copied' : 'pairing.copy')}
      </Button>
    </>
  )
}
