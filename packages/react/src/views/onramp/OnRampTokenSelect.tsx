import { Group, Row, Screen, Skeleton, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import type { ViewProps } from '../viewProps.ts'
import { OnrampUnavailable } from './OnrampUnavailable.tsx'
import { useOnramp } from './useOnramp.ts'
import { useOnrampTranslations } from './useOnrampTranslations.ts'

/** Renders the list of tokens to buy on the active network. Choosing one returns to the form. */
export function OnRampTokenSelect(_: ViewProps<'OnRampTokenSelect'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useOnrampTranslations()
  const access = useOnramp()
  const { onramp, state } = access
  return (
    <Screen title={text('onramp.tokens')}>
      {state && state.tokens.length > 0 ? (
        <Group name={text('onramp.tokens')}>
          {state.tokens.map((token) => (
            <Row
              key={token.symbol}
              icon={<WalletLogo name={token.symbol} shape="round" />}
              detail={token.name}
              current={token.symbol === state.token?.symbol}
              trailing={token.symbol === state.token?.symbol ? 'check' : undefined}
              onClick={() => {
                onramp?.setToken(token)
                latchkey.modal.back()
              }}
            >
              {token.symbol}
            </Row>
          ))}
        </Group>
      ) : access.isNone || (state && state.status !== 'loading') ? (
        <OnrampUnavailable {...access} />
      ) : (
        <Skeleton kind="row" count={3} />
      )}
    </Screen>
  )
}
