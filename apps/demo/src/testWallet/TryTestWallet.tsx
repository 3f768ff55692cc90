import { useAccount, useConnectModal } from '@latchkey/react'
import { type ReactNode, useState } from 'react'
import type { World } from '../world.ts'
import { offerTestWallet, usesTestWallet } from './offer.ts'

/** For a visitor without an extension: a wallet that lives in this page. */
export function TryTestWallet({ world }: { readonly world: World }): ReactNode {
  const { status } = useAccount()
  const connect = useConnectModal()
  const [offered, setOffered] = useState(usesTestWallet)
  if (status !== 'disconnected' || offered) return null
  return (
    <p className="tryIt">
      No wallet in this browser?{' '}
      <button
        type="button"
        onClick={async () => {
          await offerTestWallet(world)
          setOffered(true)
          connect.open()
        }}
      >
        Try with a test wallet
      </button>
    </p>
  )
}
