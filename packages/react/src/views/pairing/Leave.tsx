import type { Wallet } from '@latchkey/protocol/http/contract'
import { Button, LinkButton, Notice, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { usePairingText } from '../../i18n/usePairingText.ts'
import { Waiting } from '../Waiting.tsx'
import { CopyLink } from './CopyLink.tsx'
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
  const uri = state.offer?.uri
  const link = uri === undefined ? undefined : pairing?.link(wallet, by)
  const gone = useRef(false)
  useEffect(() => {
    // Once: a renewed offer must not throw the visitor out of the page again.
    if (by === 'web' || gone.current || !link || !pairing?.canLeave) return
    gone.current = true
    pairing.open(link)
  }, [by, link, pairing])

  const mark = <WalletLogo name={wallet.name} src={logo} size={64} />
  if (pairing && !pairing.canLeave)
    return (
      <>
        {mark}
        <Notice kind="warning" title={text('pairing.inApp')}>
          {text('pairing.inAppBody')}
        </Notice>
        <CopyLink key="page" kind="primary" link={location.href} label={text('pairing.copyPage')} />
      </>
    )
  const entering = state.status === 'entering'
  const open = {
    kind: 'primary',
    wide: true,
    icon: 'external',
    children: text('pairing.open', { wallet: wallet.name }),
  } as const
  return (
    <>
      <Waiting
        state={entering ? 'done' : 'waiting'}
        mark={mark}
        title={text('pairing.continue', { wallet: wallet.name })}
        body={text(entering ? 'pairing.entering' : 'pairing.continueBody')}
      />
      {link ? <LinkButton {...open} href={link.url} target={link.target} /> : <Button {...open} disabled />}
      <CopyLink link={uri} label={text('pairing.copy')} />
    </>
  )
}
