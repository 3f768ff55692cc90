import type { ListedWallets } from '@latchkey/core'
import type { Wallet } from '@latchkey/protocol/http/apiRoutes'
import { Row, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useEffect } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { hasDirectory, useDirectory, useWalletImage } from '../useDirectory.ts'

/** Returns the recent, featured and recommended wallets that are not installed. */
export function useDirectoryWallets(): ListedWallets {
  const latchkey = useLatchkey()
  useStore((state) => state.wallets)
  const { directory, state } = useDirectory({ disabled: !hasDirectory(latchkey) })
  useEffect(() => void directory?.prefetch(), [directory])
  return latchkey.listed(state)
}

/** Renders a row for a wallet that is not installed. Clicking the row opens a view to connect or install the wallet. */
export function WalletRow({
  wallet,
  disabled,
}: {
  readonly wallet: Wallet
  readonly disabled: boolean | undefined
}): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  const image = useWalletImage(wallet)
  const recent = useStore((state) => state.wallets.recent)
  return (
    <Row
      icon={<WalletLogo name={wallet.name} src={image} />}
      tag={recent.some(({ id }) => id === wallet.id) ? { text: text('tag.recent') } : undefined}
      disabled={disabled}
      trailing="chevron"
      onClick={() => latchkey.pickWallet(wallet)}
    >
      {wallet.name}
    </Row>
  )
}
