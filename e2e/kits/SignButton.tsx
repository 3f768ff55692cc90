import type { ReactNode } from 'react'
import { useAccount, useSignMessage, useSwitchChain } from 'wagmi'

/** Shows the account that is connected in wagmi, and buttons to sign a message and switch chains. */
export function Signer(): ReactNode {
  const { status, address, chainId, connector } = useAccount()
  const { signMessage, data, error } = useSignMessage()
  const { switchChain, chains } = useSwitchChain()
  return (
    <section aria-label="Shop">
      <output aria-label="Account">
        {status} {address} {chainId} {connector?.name}
      </output>
      <button type="button" onClick={() => signMessage({ message: 'One loaf, please' })}>
        Sign
      </button>
      <button type="button" onClick={() => switchChain({ chainId: chains[1]?.id ?? 0 })}>
        Switch
      </button>
      <output aria-label="Signature">{data ?? error?.message}</output>
    </section>
  )
}
