import type { Reach, State } from '@latchkey/core'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { Button, Screen, SegmentedControl, Stack, Text, useStyleSheet, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { isMobile } from '../isMobile.ts'
import { ConsentBox, useConsent } from '../LegalConsent.tsx'
import { ProgressStatus } from '../ProgressStatus.tsx'
import { useWalletImage } from '../useDirectory.ts'
import type { ViewProps } from '../viewProps.ts'
import { OpenWallet } from './OpenWallet.tsx'
import { PairingError } from './PairingError.tsx'
import { PairingQrCode } from './PairingQrCode.tsx'
import css from './pairing.css?inline'
import { type UsePairingReturnType, usePairing } from './usePairing.ts'
import { usePairingTranslations } from './usePairingTranslations.ts'
import { type WalletTab, walletTabsFor } from './walletTabs.ts'

// Size budget: 11.5 kB, because of the QR encoder, the tabs, the waiting state and all pairing messages.

/** Connects a wallet through WalletConnect, using a QR code, the wallet's app on this device or its web app. */
export function ConnectingWalletConnect({ data: { wallet } }: ViewProps<'ConnectingWalletConnect'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = usePairingTranslations()
  const { blocked } = useConsent()
  const image = useWalletImage(wallet)
  const [tabs] = useState(() => walletTabsFor(wallet, { mobile: isMobile(latchkey), shown: latchkey.shown() }))
  const [tab, setTab] = useState<WalletTab>(tabs[0])
  // A new pairing would replace an existing one. If there is one, pairing only starts automatically for a chosen wallet.
  const [already, setAlready] = useState(() => !wallet && isPaired(latchkey.state.get()))
  const by: Reach = tab === 'browser' || tab === 'missing' ? 'qrcode' : tab
  const now = usePairing({ wallet, by, disabled: already || blocked || by !== tab })
  const name = wallet?.name ?? 'WalletConnect'
  const label = (key: WalletTab): string => text(`pairing.${key === 'missing' ? 'browser' : key}`)
  const mark = <WalletLogo name={name} src={image} size={64} />

  if (already)
    return (
      <Screen title={name} align="center">
        <ProgressStatus
          state="done"
          logo={mark}
          title={text('connecting.already.title')}
          body={text('connecting.already.body', { wallet: name })}
        />
        <Button kind="primary" wide onClick={() => latchkey.modal.reset('Account')}>
          {text('connecting.account')}
        </Button>
        <Button wide onClick={() => setAlready(false)}>
          {text('wallets.add')}
        </Button>
      </Screen>
    )
  if (blocked)
    return (
      <Screen key="consent" title={name} align="center">
        {mark}
        <ConsentBox />
      </Screen>
    )
  const panel = <Panel now={now} wallet={wallet} tab={tab} logo={image} mark={mark} />
  return (
    // The key changes with each attempt, which moves focus to the heading, because the button that had focus has been removed.
    <Screen key={now.attempt} title={name} align="center">
      {tabs.length > 1 ? (
        <SegmentedControl
          label={text('pairing.tabs')}
          tabs={tabs.map((key) => ({ key, label: label(key) }))}
          value={tab}
          onChange={setTab}
        >
          <Stack gap={12} align="center">
            {panel}
          </Stack>
        </SegmentedControl>
      ) : (
        panel
      )}
      {wallet && tab !== 'browser' && <GetIt wallet={wallet} />}
    </Screen>
  )
}

interface PanelProps {
  readonly now: UsePairingReturnType
  readonly wallet: Wallet | undefined
  readonly tab: WalletTab
  readonly logo: string | undefined
  readonly mark: ReactNode
}

function Panel({ now, wallet, tab, logo, mark }: PanelProps): ReactNode {
  const latchkey = useLatchkey()
  const text = usePairingTranslations()
  if (tab === 'browser' && wallet)
    return (
      <>
        {mark}
        <Button kind="primary" wide onClick={() => latchkey.pickWallet(wallet)}>
          {text('pairing.continue', { wallet: wallet.name })}
        </Button>
      </>
    )
  if (tab === 'missing' && wallet)
    return (
      <>
        {mark}
        <Stack gap={4} align="center">
          <Text kind="row">{text('pairing.missing', { wallet: wallet.name })}</Text>
          <Text tone="soft">{text('pairing.missingBody')}</Text>
        </Stack>
      </>
    )
  if (now.error) return <PairingError error={now.error} name={wallet?.name} logo={mark} retry={now.retry} />
  if (wallet && (tab === 'mobile' || tab === 'web' || tab === 'desktop'))
    return <OpenWallet key={tab} now={now} wallet={wallet} by={tab} logo={logo} />
  return <PairingQrCode now={now} name={wallet?.name} logo={logo} />
}

/** Renders a button that shows users without the wallet how to get it. */
function GetIt({ wallet }: { readonly wallet: Wallet }): ReactNode {
  const latchkey = useLatchkey()
  const text = usePairingTranslations()
  return (
    <div className="get-it">
      <Text tone="soft">{text('pairing.noWallet', { wallet: wallet.name })}</Text>
      <Button size="small" onClick={() => latchkey.modal.push('Downloads', { wallet })}>
        {text('connecting.get', { wallet: wallet.name })}
      </Button>
    </div>
  )
}

function isPaired({ connections, wallets }: State): boolean {
  const ids = wallets.connectors.filter(({ type }) => type === 'WALLET_CONNECT').map(({ id }) => id)
  return Object.values(connections.byNamespace).some(
    (now) => now.status === 'connected' && now.health === 'ok' && ids.includes(now.connectorId),
  )
}
