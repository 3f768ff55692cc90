import { Address, Avatar, Group, Row } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { Wallet } from '../wallet.ts'
import type { WalletState } from '../walletState.ts'

/** Lets the user select an account. */
export function AccountChoice({
  label,
  wallet,
  state,
}: {
  readonly label: string
  readonly wallet: Wallet
  readonly state: WalletState
}): ReactNode {
  return (
    <Group label={label}>
      {state.accounts.map((one) => (
        <Row
          key={one.evm.address}
          icon={<Avatar address={one.evm.address} />}
          current={one === state.account}
          trailing={one === state.account ? 'check' : undefined}
          detail={<Address address={one.evm.address} />}
          onClick={() => wallet.choose(one)}
        >
          {one.name}
        </Row>
      ))}
    </Group>
  )
}
