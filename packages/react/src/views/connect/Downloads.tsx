import type { Wallet } from '@latchkey/protocol/http/contract'
import { Group, Hidden, type IconName, Row, Screen, Text, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { MessageKey } from '../../i18n/messages.ts'
import { useText } from '../../i18n/useText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { useWalletImage } from '../useDirectory.ts'

/** Where a wallet can be had. */
export function Downloads({ data }: ViewProps<'Downloads'>): ReactNode {
  const text = useText()
  const { wallet } = data
  const image = useWalletImage(wallet)
  const places = placesOf(wallet)
  return (
    <Screen title={text('downloads.title', { wallet: wallet.name })} align="center">
      <WalletLogo name={wallet.name} src={image} size={64} />
      <Text tone="soft">
        {text(places.length === 0 ? 'downloads.none' : 'downloads.body', { wallet: wallet.name })}
      </Text>
      <Group name={text('downloads.title', { wallet: wallet.name })}>
        {places.map(({ key, icon, href }) => (
          <Row key={key} icon={icon} href={href} trailing="external">
            {text(key)} <Hidden>{text('common.newTab')}</Hidden>
          </Row>
        ))}
      </Group>
    </Screen>
  )
}

function placesOf(wallet: Wallet): readonly { key: DownloadKey; icon: IconName; href: string }[] {
  const all = [
    { key: 'downloads.chrome', icon: 'desktop', href: wallet.chrome_store },
    { key: 'downloads.ios', icon: 'phone', href: wallet.app_store },
    { key: 'downloads.android', icon: 'phone', href: wallet.play_store },
    { key: 'downloads.webapp', icon: 'network', href: wallet.webapp_link },
    { key: 'downloads.website', icon: 'network', href: wallet.homepage },
  ] as const
  // The directory is somebody else's word: nothing but web addresses becomes a link.
  return all.flatMap(({ key, icon, href }) => (href && /^https:\/\//i.test(href) ? [{ key, icon, href }] : []))
}

type DownloadKey = Extract<MessageKey, `downloads.${'chrome' | 'ios' | 'android' | 'webapp' | 'website'}`>
