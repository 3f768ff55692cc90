import { useAccount, useProvider } from '@latchkey/react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Environment } from '../environment.ts'
import { linkProps } from '../router.ts'
import type { PaymentReceipt } from './readReceipt.ts'

/** Renders a payment as recorded on the chain, and lets the customer sign the message for picking up the order. */
export function Receipt({ world, path }: { readonly world: Environment; readonly path: string }): ReactNode {
  const [, , chainId, transactionHash] = path.split('/')
  const chain = world.chains.find(({ id }) => String(id) === chainId)
  const hash = /^0x[0-9a-f]{64}$/.test(transactionHash ?? '') ? (transactionHash as `0x${string}`) : undefined
  const [paid, setPaid] = useState<PaymentReceipt>()
  const [problem, setProblem] = useState<string>()

  useEffect(() => {
    if (!chain || !hash) return
    let here = true
    import('./readReceipt.ts')
      .then(({ readReceipt }) => readReceipt({ world, chain, hash }))
      .then(
        (read) => here && setPaid(read),
        (error: unknown) => here && setProblem(error instanceof Error ? error.message : 'The chain is not responding.'),
      )
    return () => {
      here = false
    }
  }, [world, chain, hash])

  if (!chain || !hash) {
    return (
      <section className="sheet">
        <h1>Receipt not found</h1>
        <a className="primary" {...linkProps('/')}>
          Go to the shop
        </a>
      </section>
    )
  }
  return (
    <section className="sheet receipt">
      <h1>{paid ? 'Thank you!' : problem ? 'Not paid' : 'Your payment is on its way'}</h1>
      <p className="lead" role="status">
        {paid ? `${paid.amount} reached the bakery.` : (problem ?? 'Waiting for the chain to confirm it…')}
      </p>
      <dl>
        <dt>Transaction</dt>
        <dd className="mono">{hash}</dd>
        <dt>Network</dt>
        <dd>{chain.name}</dd>
        {paid && (
          <>
            <dt>Paid by</dt>
            <dd className="mono">{paid.from}</dd>
            <dt>Amount</dt>
            <dd>{paid.amount}</dd>
            <dt>Network fee</dt>
            <dd>{paid.fee}</dd>
            <dt>Block</dt>
            <dd>
              {String(paid.block)}, {paid.at.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}
            </dd>
          </>
        )}
      </dl>
      {paid && <PickupSlip hash={hash} from={paid.from} />}
      <a className="quiet" {...linkProps('/')}>
        Back to the shop
      </a>
    </section>
  )
}

function PickupSlip({ hash, from }: { readonly hash: `0x${string}`; readonly from: `0x${string}` }): ReactNode {
  const account = useAccount('eip155')
  const provider = useProvider('eip155')
  const [message, setMessage] = useState('')
  const [signing, setSigning] = useState(false)
  const isPayer = account.address?.toLowerCase() === from.toLowerCase()

  async function sign(): Promise<void> {
    if (!provider) return
    setSigning(true)
    setMessage('')
    const [{ pickupMessage, verifyPickupSignature }, { paymentErrorText }, { stringToHex }] = await Promise.all([
      import('./readReceipt.ts'),
      import('./payment.ts'),
      import('viem'),
    ])
    try {
      const signature = (await provider.request({
        method: 'personal_sign',
        params: [stringToHex(pickupMessage(hash)), from],
      })) as `0x${string}`
      const valid = await verifyPickupSignature({ hash, from, signature })
      setMessage(
        valid ? 'Signed and checked: this order is yours.' : 'This signature is not from the account that paid.',
      )
    } catch (error) {
      setMessage(paymentErrorText(error).replace(' Nothing was paid.', ''))
    } finally {
      setSigning(false)
    }
  }

  return (
    <div className="slip">
      <h2>Pick it up</h2>
      <p>Sign the slip with the account that paid, and show it at the counter. Signing costs nothing.</p>
      <button type="button" className="primary" disabled={!isPayer || !provider || signing} onClick={sign}>
        {signing ? 'Waiting for your wallet…' : 'Sign the pickup slip'}
      </button>
      <p role="status">{message || (isPayer ? '' : 'Connect the account that paid.')}</p>
    </div>
  )
}
