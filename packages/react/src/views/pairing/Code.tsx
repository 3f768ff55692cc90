import { Button, LinkButton, QrCode, Skeleton, Text, useCss, WaitRing, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { usePairingText } from '../../i18n/usePairingText.ts'
import { isMobile } from '../isMobile.ts'
import { CopyLink } from './CopyLink.tsx'
import css from './pairing.css?inline'
import type { PairingNow } from './usePairing.ts'

/** A code to scan, and the same as a link to copy. Nothing moves when the code arrives. */
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
  const text = usePairingText()
  const mobile = isMobile(useLatchkey())
  const uri = state.offer?.uri
  const preparing = text('pairing.preparing')
  const entering = text('pairing.entering')
  const scan =
    name === undefined ? text(mobile ? 'pairing.scanOther' : 'pairing.scanAny') : text('pairing.scan', { wallet: name })
  const longest = [scan, preparing, entering].sort((one, other) => other.length - one.length)[0]
  const open = { kind: 'primary', wide: true, icon: 'external', children: text('pairing.openAny') } as const
  return (
    <>
      <div className="code-room">
        {state.status === 'entering' ? (
          <WaitRing state="done">
            <WalletLogo name={name ?? 'WalletConnect'} src={logo} size={64} />
          </WaitRing>
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
      {/* A phone cannot scan itself; some answer this scheme with a choice of wallets. */}
      {name === undefined &&
        mobile &&
        (uri === undefined ? <Button {...open} disabled /> : <LinkButton {...open} href={uri} target="_self" />)}
      <CopyLink link={uri} label={text('pairing.copy')} />
    </>
  )
}
