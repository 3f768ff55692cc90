import { useAccount, useLatchkey } from '@latchkey/react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Environment } from '../environment.ts'

/** Offers test funds on the local chain when the connected account is empty. */
export function Faucet({ world }: { readonly world: Environment }): ReactNode {
  const latchkey = useLatchkey()
  const { address, chain } = useAccount('eip155')
  const home = world.chains.find(({ id }) => chain === `eip155:${id}`)
  const [state, setState] = useState<'looking' | 'empty' | 'giving' | 'failed' | 'funded'>('looking')

  useEffect(() => {
    if (!address || !home) return
    let left = false
    setState('looking')
    const show = (next: typeof state) => {
      if (!left) setState(next)
    }
    import('./faucetTransfer.ts')
      .then(({ isEmpty }) => isEmpty({ world, chain: home, address: address as `0x${string}` }))
      .then(
        (empty) => show(empty ? 'empty' : 'funded'),
        () => show('looking'),
      )
    return () => {
      left = true
    }
  }, [world, home, address])

  if (!address || !home || state === 'looking' || state === 'funded') return null
  const give = async (): Promise<void> => {
    setState('giving')
    try {
      const { sendTestMoney } = await import('./faucetTransfer.ts')
      await sendTestMoney({ world, chain: home, address: address as `0x${string}` })
      setState('funded')
      // The page is not notified of incoming transfers.
      await latchkey.refresh({ force: true }).catch(() => {})
    } catch {
      setState('failed')
    }
  }
  return (
    <p className="testMoney" role="status">
      {state === 'failed' ? 'The test money could not be sent.' : 'This wallet is empty.'}{' '}
      <button type="button" disabled={state === 'giving'} onClick={() => void give()}>
        {state === 'giving' ? 'Sending test money…' : state === 'failed' ? 'Try again' : 'Get test money'}
      </button>
    </p>
  )
}
