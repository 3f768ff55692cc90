import { balanceText } from '@latchkey/protocol/balanceText'
import type { Namespace } from '@latchkey/protocol/caip'
import { shortAddress } from '@latchkey/ui'
import { type ReactNode, useContext } from 'react'
import { useAccount } from '../hooks/useAccount.ts'
import { useBalance } from '../hooks/useBalance.ts'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useStore } from '../hooks/useStore.ts'
import { TranslationsContext } from '../i18n/TranslationsContext.ts'
import { useButtonTranslations } from '../i18n/useButtonTranslations.ts'
import { BaseButton, type BaseButtonProps, type PerBreakpoint } from './BaseButton.tsx'
import { ButtonAvatar } from './ButtonAvatar.tsx'
import { useButtonActions } from './useButtonActions.ts'

/** Props for `AccountButton`. */
export interface AccountButtonProps extends BaseButtonProps {
  /** Whether to show the native balance next to the name. By default, it is shown on viewports that are at least 640 px wide. */
  readonly showBalance?: PerBreakpoint<boolean> | undefined
  /** The namespace whose account to show. The name and balance are only shown for the active one, which is the default. */
  readonly namespace?: Namespace | undefined
}

/**
 * Renders a button that shows the connected account's avatar, name and balance, and that opens the account view. Renders nothing
 * while disconnected.
 *
 * @example
 * <AccountButton showBalance={false} />
 */
export function AccountButton({
  showBalance = { small: false, large: true },
  namespace,
  ...buttonProps
}: AccountButtonProps): ReactNode {
  const text = useButtonTranslations()
  const { locale } = useContext(TranslationsContext)
  const latchkey = useLatchkey()
  const account = useAccount(namespace)
  const actions = useButtonActions(namespace)
  const visibility = typeof showBalance === 'boolean' ? { small: showBalance, large: showBalance } : showBalance
  const wantsBalance = visibility.small || visibility.large
  // The balance and the name in the state are those of the active account.
  const active = useAccount()
  const isActive = account.account === active.account
  const balance = useBalance({ enabled: wantsBalance && isActive })
  const identity = useStore((state) =>
    isActive && state.account.identity.status === 'ready' ? state.account.identity.value : undefined,
  )
  if (account.address === undefined) return null

  const unreachable = account.health === 'unknown'
  const reconnecting = account.status === 'reconnecting' && !unreachable
  const unsupported = account.chain !== undefined && !latchkey.supports(account.chain)
  const name = identity?.name ?? shortAddress(account.address)
  // On a chain that the host does not list, the balance could be unverified or belong to a different chain.
  const known = wantsBalance && isActive && !unsupported && 'value' in balance ? balance.value : undefined
  const amount = known && `${balanceText(known.value, known.decimals, locale)}\u2009${known.symbol}`
  const nameParts = [
    text('button.account', { name }),
    amount,
    unsupported ? text('button.unsupportedNetwork') : undefined,
    reconnecting ? text('button.reconnecting') : undefined,
    unreachable ? text('button.unreachable') : undefined,
  ]
  return (
    <BaseButton
      {...buttonProps}
      kind="account"
      status={unreachable ? 'unreachable' : unsupported ? 'unsupported' : account.status}
      hint={unreachable ? text('button.unreachable') : undefined}
      busy={reconnecting}
      name={nameParts.filter((part) => part !== undefined).join(', ')}
      onPress={actions.account}
    >
      <ButtonAvatar address={account.address} src={identity?.image} />
      <span>{name}</span>
      {amount !== undefined && (
        <span className="latchkey-button-balance" data-small={visibility.small} data-large={visibility.large}>
          {amount}
        </span>
      )}
    </BaseButton>
  )
}
