import { Button, Screen } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { pickerMessages } from '../tokens/pickerMessages.ts'
import { TokenPicker } from '../tokens/TokenPicker.tsx'
import { FeatureFallback, useSend } from '../useLazyFeature.tsx'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'

/** Renders the list of tokens that can be sent. */
export function WalletSendSelectToken(_: ViewProps<'WalletSendSelectToken'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(pickerMessages)
  const commonText = useTranslations(viewMessages)
  const access = useSend()
  return (
    <Screen title={text('picker.title')}>
      <FeatureFallback access={access} />
      {access.status === 'ready' && (
        <TokenPicker
          tokens={access.state.tokens}
          selected={access.state.token?.id}
          network={(access.state.chain && latchkey.network(access.state.chain)?.name) ?? ''}
          onPick={({ id }) => {
            access.feature.setToken(id)
            latchkey.modal.back()
          }}
          onRetry={access.feature.retry}
          onAdd={async (address) => (await latchkey.portfolio())?.add(address)}
          whenEmpty={
            latchkey.options.features?.receive !== false && (
              <Button onClick={() => latchkey.modal.push('WalletReceive')}>{commonText('account.receive')}</Button>
            )
          }
        />
      )}
    </Screen>
  )
}
