import { Group, Row, Screen, Skeleton } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import type { ViewProps } from '../viewProps.ts'
import { OnrampUnavailable } from './OnrampUnavailable.tsx'
import { createOnrampFormat } from './onrampFormat.ts'
import { useOnramp } from './useOnramp.ts'
import { useOnrampTranslations } from './useOnrampTranslations.ts'

/** Renders the list of currencies to pay with. Choosing one returns to the form. */
export function OnRampFiatSelect(_: ViewProps<'OnRampFiatSelect'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useOnrampTranslations()
  const access = useOnramp()
  const { onramp, state } = access
  const format = createOnrampFormat(text.locale)
  return (
    <Screen title={text('onramp.currencies')}>
      {state && state.currencies.length > 0 ? (
        <Group name={text('onramp.currencies')}>
          {state.currencies.map((code) => (
            <Row
              key={code}
              detail={code}
              current={code === state.currency}
              trailing={code === state.currency ? 'check' : undefined}
              onClick={() => {
                onramp?.setCurrency(code)
                latchkey.modal.back()
              }}
            >
              {format.currencyName(code)}
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
