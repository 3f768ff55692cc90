import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { Group, Row, Screen, Skeleton, Text, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { type DirectoryAccess, hasDirectory, useDirectory, useWalletImage } from '../useDirectory.ts'
import type { ViewProps } from '../viewProps.ts'
import { downloadMessages } from './downloadMessages.ts'

/** Renders a few wallets to start with, from the directory or, if the directory is not available, from a built-in list. */
export function GetWallet(_: ViewProps<'GetWallet'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(downloadMessages)
  const access = useDirectory()
  useEffect(() => void access.directory?.prefetch(), [access.directory])
  const listed = fromDirectory(access)
  const wallets =
    useSmallList(listed === 'none', latchkey.options.customWallets) ?? (listed === 'none' ? undefined : listed)
  return (
    <Screen title={text('getWallet.title')}>
      <Text tone="soft">{text('getWallet.body')}</Text>
      {wallets === undefined && <Skeleton kind="row" count={4} />}
      <Group name={text('getWallet.title')}>
        {wallets?.slice(0, 6).map((wallet) => (
          <GetRow key={wallet.id} wallet={wallet} />
        ))}
        {hasDirectory(latchkey) && (
          <Row key="all" icon="search" trailing="chevron" onClick={() => latchkey.modal.push('AllWallets')}>
            {text('connect.allWallets')}
          </Row>
        )}
      </Group>
    </Screen>
  )
}

function GetRow({ wallet }: { readonly wallet: Wallet }): ReactNode {
  const latchkey = useLatchkey()
  const image = useWalletImage(wallet)
  return (
    <Row
      icon={<WalletLogo name={wallet.name} src={image} />}
      trailing="chevron"
      onClick={() => latchkey.modal.push('Downloads', { wallet })}
    >
      {wallet.name}
    </Row>
  )
}

/** Returns the directory's featured and recommended wallets, `undefined` while loading, or `none` if none are available. */
function fromDirectory({ status, state }: DirectoryAccess): readonly Wallet[] | 'none' | undefined {
  if (status === 'none' || status === 'failed') return 'none'
  if (!state) return undefined
  const { featured, recommended } = state
  const value = [featured, recommended].flatMap((reading) => ('value' in reading ? (reading.value ?? []) : []))
  if (value.length > 0) return value.filter(({ id }, index) => value.findIndex((wallet) => wallet.id === id) === index)
  return featured.status === 'failed' || recommended.status === 'failed' || recommended.status === 'ready'
    ? 'none'
    : undefined
}

function useSmallList(enabled: boolean, custom: readonly Wallet[] = []): readonly Wallet[] | undefined {
  const [list, setList] = useState<readonly Wallet[]>()
  useEffect(() => {
    if (!enabled) return
    let unmounted = false
    import('../../fallbackWallets.ts').then(
      ({ fallbackWallets }) => {
        if (!unmounted) setList(fallbackWallets)
      },
      // If the built-in list fails to load, for example while offline, the view shows only the title and "All wallets".
      () => setList([]),
    )
    return () => {
      unmounted = true
    }
  }, [enabled])
  return enabled && list ? [...custom, ...list] : undefined
}
