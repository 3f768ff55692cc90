import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { Button, LinkButton, Notice, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { ProgressStatus } from '../ProgressStatus.tsx'
import { CopyLinkButton } from './CopyLinkButton.tsx'
import type { UsePairingReturnType } from './usePairing.ts'
import { usePairingTranslations } from './usePairingTranslations.ts'

/** Opens the wallet with the pairing URI. An app opens as soon as the URI is available, and a web wallet when the user clicks. */
export function OpenWallet({
  now: { pairing, state },
  wallet,
  by,
  logo,
}: {
  readonly now: UsePairingReturnType
  readonly wallet: Wallet
  readonly by: 'mobile' | 'web' | 'desktop'
  readonly logo: string | undefined
}): ReactNode {
  const text = usePairingTranslations()
  const uri = state.offer?.uri
  const link = uri === undefined ? undefined : pairing?.link(wallet, by)
  const hasOpened = useRef(false)
  useEffect(() => {
    // Open the app only once. When the pairing is renewed, the new URI must not open it again.
    if (by === 'web' || hasOpened.current || !link || !pairing?.canLeave) return
    hasOpened.current = true
    pairing.open(link)
  }, [by, link, pairing])

  const logoNode = <WalletLogo name={wallet.name} src={logo} size={64} />
  if (pairing && !pairing.canLeave)
    return (
      <>
        {logoNode}
        <Notice kind="warning" title={text('pairing.inApp')}>
          {text('pairing.inAppBody')}
        </Notice>
        <CopyLinkButton key="page" kind="primary" link={location.href} label={text('pairing.copyPage')} />
      </>
    )
  const entering = state.status === 'entering'
  const openButton = {
    kind: 'primary',
    wide: true,
    icon: 'external',
    children: text('pairing.open', { wallet: wallet.name }),
  } as const
  return (
    <>
      <ProgressStatus
        state={entering ? 'done' : 'waiting'}
        logo={logoNode}
        title={text('pairing.continue', { wallet: wallet.name })}
        body={text(entering ? 'pairing.entering' : 'pairing.continueBody')}
      />
      {link ? <LinkButton {...openButton} href={link.url} target={link.target} /> : <Button {...openButton} disabled />}
      <CopyLinkButton link={uri} label={text('pairing.copy')} />
    </>
  )
}
