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
      {state.accounts.map((account) => (
        <Row
          key={account.evm.address}
          icon={<Avatar address={account.evm.address} />}
          current={account === state.account}
          trailing={account === state.account ? 'check' : undefined}
          detail={<Address address={account.evm.address} />}
          onClick={() => wallet.choose(account)}
        >
          {account.name}
        </Row>
      ))}
    </Group>
  )
}
