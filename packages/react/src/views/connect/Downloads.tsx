import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { Button, Group, type IconDrawing, moreIcons, Row, Screen, Text, VisuallyHidden, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { isMobile } from '../isMobile.ts'
import { useWalletImage } from '../useDirectory.ts'
import type { ViewProps } from '../viewProps.ts'
import { downloadMessages } from './downloadMessages.ts'

/** Renders the links for installing a wallet and explains the next step, which depends on the device. */
export function Downloads({ data }: ViewProps<'Downloads'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(downloadMessages)
  const { wallet } = data
  const image = useWalletImage(wallet)
  const { places, by } = waysTo(wallet, isMobile(latchkey))
  return (
    <Screen title={text('downloads.title', { wallet: wallet.name })} align="center">
      <WalletLogo name={wallet.name} src={image} size={64} />
      <Text tone="soft">{text(`downloads.${by}`, { wallet: wallet.name })}</Text>
      {places.length > 0 ? (
        <Group name={text('downloads.title', { wallet: wallet.name })}>
          {places.map(({ key, icon, href }) => (
            <Row key={key} icon={icon} href={href} trailing="external">
              {text(`downloads.${key}`)} <VisuallyHidden>{text('common.newTab')}</VisuallyHidden>
            </Row>
          ))}
        </Group>
      ) : (
        <Button kind="primary" wide onClick={() => latchkey.modal.back()}>
          {text('downloads.another')}
        </Button>
      )}
    </Screen>
  )
}

interface Place {
  readonly key: 'chrome' | 'ios' | 'android' | 'webapp' | 'website'
  readonly icon: IconDrawing
  readonly href: string
}

/** Returns the links for installing a wallet on this device, and which instructions to show. */
function waysTo(
  wallet: Wallet,
  mobile: boolean,
): { readonly places: readonly Place[]; readonly by: 'extension' | 'app' | 'site' | 'none' } {
  // The directory's data is not trusted, so only HTTPS URLs become links.
  const place = (key: Place['key'], icon: IconDrawing, href: string | null | undefined): readonly Place[] =>
    href && /^https:\/\//i.test(href) ? [{ key, icon, href }] : []
  const extension = place('chrome', moreIcons.desktop, extensionFor(wallet, navigator.userAgent))
  const apps = [
    ...place('ios', moreIcons.phone, wallet.app_store),
    ...place('android', moreIcons.phone, wallet.play_store),
  ]
  const sites = [
    ...place('webapp', moreIcons.network, wallet.webapp_link),
    ...place('website', moreIcons.network, wallet.homepage),
  ]
  // Extensions are only offered on desktops. There, they are preferred, because they connect to this page directly.
  if (!mobile && extension.length > 0) return { places: [...extension, ...sites], by: 'extension' }
  if (apps.length > 0) return { places: [...apps, ...sites], by: 'app' }
  return { places: sites, by: sites.length > 0 ? 'site' : 'none' }
}

/** Returns the URL of the wallet's extension for this browser. Edge can also install extensions from the Chrome Web Store. */
function extensionFor(wallet: Wallet, userAgent: string): string | null | undefined {
  if (/Firefox\//.test(userAgent)) return wallet.firefox_store
  if (/Edg\//.test(userAgent)) return wallet.edge_store ?? wallet.chrome_store
  // Chromium's user agent also contains "Safari".
  if (/Safari\//.test(userAgent) && !/Chrom(e|ium)\//.test(userAgent)) return wallet.safari_store
  return wallet.chrome_store
}
