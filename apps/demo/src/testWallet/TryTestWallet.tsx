import { useAccount, useConnectModal } from '@latchkey/react'
import type { ReactNode } from 'react'

/** Offers an in-page test wallet to users without an extension. */
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
