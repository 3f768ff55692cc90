import { useAccount, useConnectModal, useLatchkey, useNetwork, useProvider } from '@latchkey/react'
import { type ReactNode, useState } from 'react'
import type { Environment } from '../environment.ts'
import { linkProps, navigate } from '../router.ts'
import { type Basket, centsOf, emptyBasket } from './basket.ts'
import { Faucet } from './Faucet.tsx'
import { dollars, products, weiOf } from './products.ts'

type Money = 'token' | 'ether'

/** Renders the order, its price and the payment form. */
export function Checkout({
  world,
  basket,
  change,
}: {
  readonly world: Environment
  readonly basket: Basket
  readonly change: (next: Basket) => void
}): ReactNode {
  const latchkey = useLatchkey()
  const account = useAccount('eip155')
  const provider = useProvider('eip155')
  const connect = useConnectModal()
  const { network, supported } = useNetwork()
  const [chosen, setChosen] = useState<Money>('token')
  const [paying, setPaying] = useState(false)
  const [problem, setProblem] = useState<string>()
  const cents = centsOf(basket)
  const chain = world.chains.find(({ id }) => account.chain === `eip155:${id}`)
  const takesToken = !chain || chain.id === world.token.chainId
  const money: Money = takesToken ? chosen : 'ether'

  async function pay(): Promise<void> {
    if (account.status !== 'connected' || !provider || !chain) return
    setPaying(true)
    setProblem(undefined)
    try {
      const { sendPayment } = await import('./payment.ts')
      const hash = await sendPayment({ world, chain, provider, from: account.address as `0x${string}`, money, cents })
      // The account's activity shows the payment at once, and its outcome later.
      latchkey.activity.add({ hash, label: `Order for ${dollars(cents)}` })
      change(emptyBasket)
      navigate(`/receipt/${chain.id}/${hash}`)
    } catch (error) {
      const { paymentErrorText } = await import('./payment.ts')
      setProblem(paymentErrorText(error))
    } finally {
      setPaying(false)
    }
  }

  if (cents === 0) {
    return (
      <section className="sheet">
        <h1>Your basket is empty</h1>
        <p>Nothing chosen yet.</p>
        <a className="primary" {...linkProps('/')}>
          See what is fresh
        </a>
      </section>
    )
  }

  return (
    <section className="sheet">
      <h1>Your order</h1>
      <ul className="lines">
        {products
          .filter(({ id }) => basket[id] > 0)
          .map(({ id, name, cents: price }) => (
            <li key={id}>
              <span>
                {basket[id]} × {name}
              </span>
              <span className="amount">{dollars(basket[id] * price)}</span>
              <button
                type="button"
                className="quiet"
                aria-label={`Remove one ${name}`}
                onClick={() => change({ ...basket, [id]: basket[id] - 1 })}
              >
                −
              </button>
            </li>
          ))}
      </ul>
      <p className="total">
        <span>Total</span>
        <span className="amount">{dollars(cents)}</span>
      </p>

      {account.status === 'connected' ? (
        <>
          <Faucet world={world} />
          <fieldset className="money">
            <legend>Pay with</legend>
            <label>
              <input
                type="radio"
                name="money"
                checked={money === 'token'}
                disabled={!takesToken}
                onChange={() => setChosen('token')}
              />
              {world.token.symbol}{' '}
              <small>a test dollar{takesToken ? '' : `, not on ${network?.name ?? 'this network'}`}</small>
            </label>
            <label>
              <input type="radio" name="money" checked={money === 'ether'} onChange={() => setChosen('ether')} />
              ETH <small>{etherText(weiOf(cents))}</small>
            </label>
          </fieldset>
          <button
            type="button"
            className="primary"
            disabled={paying || !provider || !supported || !chain}
            onClick={pay}
          >
            {paying
              ? 'Waiting for your wallet…'
              : `Pay ${money === 'token' ? `${(cents / 100).toFixed(2)} ${world.token.symbol}` : etherText(weiOf(cents))}`}
          </button>
        </>
      ) : account.status === 'reconnecting' ? (
        <button type="button" className="primary" disabled>
          Looking for your wallet…
        </button>
      ) : (
        <button type="button" className="primary" onClick={connect.open}>
          Connect a wallet to pay
        </button>
      )}
      <p className="problem" role="status">
        {problem}
      </p>
    </section>
  )
}

function etherText(wei: bigint): string {
  return `${(Number(wei / 1_000_000_000n) / 1e9).toFixed(6)} ETH`
}
