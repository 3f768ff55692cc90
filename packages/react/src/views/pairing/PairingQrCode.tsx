import { Button, LinkButton, ProgressRing, QrCode, Skeleton, Text, useStyleSheet, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { isMobile } from '../isMobile.ts'
import { CopyLinkButton } from './CopyLinkButton.tsx'
import css from './pairing.css?inline'
import type { UsePairingReturnType } from './usePairing.ts'
import { usePairingTranslations } from './usePairingTranslations.ts'

/** Renders a QR code and a button that copies its link. Space is reserved, so that the layout does not shift. */
export function PairingQrCode({
  now: { state },
  name,
  logo,
}: {
  readonly now: UsePairingReturnType
  /** The wallet's name, or `undefined` if the user has not chosen a wallet. */
  readonly name: string | undefined
  readonly logo: string | undefined
}): ReactNode {
  useStyleSheet(css)
  const text = usePairingTranslations()
  const mobile = isMobile(useLatchkey())
  const uri = state.offer?.uri
  const preparing = text('pairing.preparing')
  const entering = text('pairing.entering')
  const scan =
    name === undefined ? text(mobile ? 'pairing.scanOther' : 'pairing.scanAny') : text('pairing.scan', { wallet: name })
  const longest = [scan, preparing, entering].sort((a, b) => b.length - a.length)[0]
  const openButton = { kind: 'primary', wide: true, icon: 'external', children: text('pairing.openAny') } as const
  return (
    <>
      <div className="code-room">
        {state.status === 'entering' ? (
          <ProgressRing state="done">
            <WalletLogo name={name ?? 'WalletConnect'} src={logo} size={64} />
          </ProgressRing>
        ) : uri === undefined ? (
          <Skeleton kind="square" />
        ) : (
          <>
            <QrCode value={uri} label={text('pairing.qr')} hole={name !== undefined} />
            {name !== undefined && <WalletLogo name={name} src={logo} />}
          </>
        )}
      </div>
      <div role="status" className="code-says" data-room={longest}>
        <Text tone="soft">{state.status === 'entering' ? entering : uri === undefined ? preparing : scan}</Text>
      </div>
      {/* A phone cannot scan a QR code on its own screen. On some phones, this link opens a list of wallets. */}
      {name === undefined &&
        mobile &&
        (uri === undefined ? (
          <Button {...openButton} disabled />
        ) : (
          <LinkButton {...openButton} href={uri} target="_self" />
        ))}
      <CopyLinkButton link={uri} label={text('pairing.copy')} />
    </>
  )
}
