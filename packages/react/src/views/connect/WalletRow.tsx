import type { ListedWallets } from '@latchkey/core'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { Row, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { useDirectoryRequest, useDirectoryState, useWalletImage } from '../useDirectory.ts'

const notLoaded = { featured: { status: 'idle' }, recommended: { status: 'idle' } } as const

/** Returns the recent, featured and recommended wallets that are not installed. */
export function useDirectoryWallets(): ListedWallets {
  const latchkey = useLatchkey()
  useStore((state) => state.wallets)
  const featured = useDirectoryState((state) => state?.featured)
  const recommended = useDirectoryState((state) => state?.recommended)
  // If the list has no room for recommended wallets, they are not requested.
  const hasRoom = latchkey.listed(notLoaded).coming > 0
  useDirectoryRequest((directory) => directory.prefetch({ recommended: hasRoom }), hasRoom)
  return latchkey.listed(featured && recommended && { featured, recommended })
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
