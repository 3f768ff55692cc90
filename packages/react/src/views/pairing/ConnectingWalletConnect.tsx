import type { Reach } from '@latchkey/core'
import { toLatchkeyError } from '@latchkey/protocol/errors'
import type { Wallet } from '@latchkey/protocol/http/contract'
import { Button, Screen, Segmented, Stack, Text, useCss, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { usePairingText } from '../../i18n/usePairingText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { ConsentBox, useConsent } from '../connect/Consent.tsx'
import { isMobile } from '../isMobile.ts'
import { useWalletImage } from '../useDirectory.ts'
import { Waiting } from '../Waiting.tsx'
import { Code } from './Code.tsx'
import { Leave } from './Leave.tsx'
import css from './pairing.css?inline'
import { pairingSays } from './pairingSays.ts'
import { type PairingNow, usePairing } from './usePairing.ts'
import { type Way, waysTo } from './ways.ts'

/** Connects a wallet elsewhere: by a code, by its app on this device, or by its page. */
export function ConnectingWalletConnect({ data }: ViewProps<'ConnectingWalletConnect'>): ReactNode {
  useCss(css)
  const { wallet } = data
  const latchkey = useLatchkey()
  const text = usePairingText()
  const { blocked } = useConsent()
  const image = useWalletImage(wallet)
  const [ways] = useState(() => waysTo(wallet, { mobile: isMobile(latchkey), shown: latchkey.shown() }))
  const [way, setWay] = useState<Way>(ways[0])
  const by: Reach = way === 'browser' || way === 'missing' ? 'qrcode' : way
  const now = usePairing({ wallet, by, off: blocked || by !== way })
  const name = wallet?.name ?? 'WalletConnect'
  const label = (key: Way): string => text(`pairing.${key === 'missing' ? 'browser' : key}`)

  if (blocked)
    return (
      <Screen title={name} align="center">
        <WalletLogo name={name} src={image} size={64} />
        <ConsentBox />
      </Screen>
    )
  const panel = <Panel now={now} wallet={wallet} way={way} logo={image} />
  return (
    <Screen title={name} align="center">
      {ways.length > 1 ? (
        <Segmented
          label={text('pairing.tabs')}
          tabs={ways.map((key) => ({ key, label: label(key) }))}
          value={way}
          onChange={setWay}
        >
          <Stack gap={12} align="center">
            {panel}
          </Stack>
        </Segmented>
      ) : (
        panel
      )}
      {wallet && way !== 'browser' && <GetIt wallet={wallet} />}
    </Screen>
  )
}

interface PanelProps {
  readonly now: PairingNow
  readonly wallet: Wallet | undefined
  readonly way: Way
  readonly logo: string | undefined
}

function Panel({ now, wallet, way, logo }: PanelProps): ReactNode {
  const latchkey = useLatchkey()
  const text = usePairingText()
  const name = wallet?.name ?? text('common.yourWallet')
  const mark = <WalletLogo name={wallet?.name ?? 'WalletConnect'} src={logo} size={64} />
  if (way === 'browser' && wallet)
    return (
      <>
        {mark}
        <Button kind="primary" wide onClick={() => latchkey.pickWallet(wallet)}>
          {text('pairing.continue', { wallet: name })}
        </Button>
      </>
    )
  if (way === 'missing')
    return (
      <>
        {mark}
        <Stack gap={4} align="center">
          <Text kind="row">{text('pairing.missing', { wallet: name })}</Text>
          <Text tone="soft">{text('pairing.missingBody')}</Text>
        </Stack>
      </>
    )
  const { state, lost, again } = now
  const error = state.error ?? (lost ? toLatchkeyError(undefined) : undefined)
  if (error)
    return (
      <>
        <Waiting state="failed" mark={mark} {...pairingSays(text, { wallet: name, error })} />
        <Button kind="primary" wide icon="retry" onClick={again}>
          {text(error.code === 'pairing/expired' ? 'pairing.renew' : 'common.retry')}
        </Button>
      </>
    )
  if (wallet && (way === 'mobile' || way === 'web' || way === 'desktop'))
    return <Leave key={way} now={now} wallet={wallet} by={way} logo={logo} />
  return <Code now={now} name={wallet?.name} logo={logo} />
}

/** For those who have none: where it can be had. */
function GetIt({ wallet }: { readonly wallet: Wallet }): ReactNode {
  const latchkey = useLatchkey()
  const text = usePairingText()
  return (
    <div className="get-it">
      <Text tone="soft">{text('pairing.noWallet', { wallet: wallet.name })}</Text>
      <Button size="small" onClick={() => latchkey.modal.push('Downloads', { wallet })}>
        {text('connecting.get', { wallet: wallet.name })}
      </Button>
    </div>
  )
}
