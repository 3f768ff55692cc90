import { useAccount, useConnectModal } from '@latchkey/react'
import type { ReactNode } from 'react'

/** For a visitor without an extension: a wallet that lives in this page. */
export function TryTestWallet({ offer }: { readonly offer: () => Promise<void> }): ReactNode {
  const { status } = useAccount()
  const connect = useConnectModal()
  if (status !== 'disconnected') return null
  return (
    <p className="tryIt">
      No wallet in this browser?{' '}
      <button
        type="button"
        onClick={async () => {
          await offer()
          connect.open()
        }}
      >
        Try with a test wallet
      </button>
    </p>
  )
}
