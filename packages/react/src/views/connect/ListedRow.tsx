import { isSame } from '@latchkey/core'
import type { Wallet } from '@latchkey/protocol/http/contract'
import { Row, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useEffect } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useDirectory, useWalletImage } from '../useDirectory.ts'

/**
 * What the host wants seen and is not here yet: its featured wallets, then its own. Nothing is fetched unless it asked, be it for wallets
 * that are to be seen or for some that are not: only the directory knows which installed ones those are.
 */
export function useListed(): readonly Wallet[] {
  const latchkey = useLatchkey()
  useStore((state) => state.wallets)
  const { featuredWalletIds = [], excludeWalletIds = [], customWallets = [] } = latchkey.options
  const { directory, state } = useDirectory({ off: featuredWalletIds.length + excludeWalletIds.length === 0 })
  useEffect(() => void directory?.prefetch(), [directory])

  const featured = state && 'value' in state.featured ? (state.featured.value ?? []) : []
  const shown = latchkey.shown()
  return [...featured, ...customWallets].filter((wallet) => !shown.some((connector) => isSame(connector, wallet)))
}

/** A wallet that is not here yet: leads to where it can be had. */
export function ListedRow({
  wallet,
  disabled,
}: {
  readonly wallet: Wallet
  readonly disabled: boolean | undefined
}): ReactNode {
  const latchkey = useLatchkey()
  const image = useWalletImage(wallet)
  return (
    <Row
      icon={<WalletLogo name={wallet.name} src={image} />}
      disabled={disabled}
      trailing="chevron"
      onClick={() => latchkey.pickWallet(wallet)}
    >
      {wallet.name}
    </Row>
  )
}
