import type { Onramp, OnrampPurchase } from '@latchkey/core'
import { Button, LinkButton, LiveRegion, Screen, Skeleton, Stack, Text, VisuallyHidden, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { explorerLink } from '../explorerLink.ts'
import { ProgressStatus } from '../ProgressStatus.tsx'
import { translateError } from '../translateError.ts'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import { createOnrampFormat } from './onrampFormat.ts'
import { onrampPurchaseMessages } from './onrampPurchaseMessages.ts'
import { providerName } from './providerName.ts'
import { useOnramp } from './useOnramp.ts'
import { useOnrampTranslations } from './useOnrampTranslations.ts'

/** Renders the progress of a purchase in the provider's window. */
export function BuyInProgress(_: ViewProps<'BuyInProgress'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(onrampPurchaseMessages)
  const onrampText = useOnrampTranslations()
  const { onramp, state, isNone } = useOnramp()
  const purchase = state?.purchase
  if (onramp && purchase) return <Purchase onramp={onramp} purchase={purchase} />
  return (
    <Screen title={onrampText('onramp.title')} align="center">
      {onramp || isNone ? (
        <>
          <Text>{text('onramp.nothing')}</Text>
          <Button kind="primary" wide onClick={() => latchkey.modal.replace('OnRampProviders')}>
            {text('onramp.choose')}
          </Button>
        </>
      ) : (
        <Skeleton kind="row" />
      )}
    </Screen>
  )
}

function Purchase({ onramp, purchase }: { readonly onramp: Onramp; readonly purchase: OnrampPurchase }): ReactNode {
  const text = useTranslations(onrampPurchaseMessages)
  const { status, provider, symbol } = purchase
  const name = providerName(provider)
  const isFailed = status === 'failed' || status === 'refused'
  return (
    <Screen title={text('onramp.progress', { token: symbol })} align="center">
      <ProgressStatus
        state={status === 'arrived' ? 'done' : isFailed ? 'failed' : status === 'slow' ? 'unknown' : 'waiting'}
        logo={<WalletLogo name={name} size={64} />}
        title={<Title purchase={purchase} />}
        body={<Body purchase={purchase} />}
      />
      <LiveRegion>{purchase.isUnreachable && status !== 'slow' ? text('onramp.unreachable') : ''}</LiveRegion>
      <Actions onramp={onramp} purchase={purchase} />
    </Screen>
  )
}

function Title({ purchase }: { readonly purchase: OnrampPurchase }): ReactNode {
  const text = useTranslations(onrampPurchaseMessages)
  const provider = providerName(purchase.provider)
  const got = received(text, purchase)
  switch (purchase.status) {
    case 'opening':
      return text('onramp.opening.title', { provider })
    case 'blocked':
      return text('onramp.blocked.title')
    case 'waiting':
      return text('onramp.waiting.title', { provider })
    case 'paid':
      return text('onramp.paid.title')
    case 'arrived':
      return text(got.amount === '' ? 'onramp.arrived.someTitle' : 'onramp.arrived.title', got)
    case 'refused':
      return text('onramp.refused.title')
    case 'slow':
      return text('onramp.slow.title')
    case 'failed':
      return text('onramp.error.title', { provider })
  }
}

function Body({ purchase }: { readonly purchase: OnrampPurchase }): ReactNode {
  const text = useTranslations(onrampPurchaseMessages)
  const commonText = useTranslations(viewMessages)
  const { status, error, symbol, isUnreachable } = purchase
  const provider = providerName(purchase.provider)
  const got = received(text, purchase)
  const lines: readonly (string | undefined)[] = [
    status === 'blocked' ? text('onramp.blocked.body', { provider }) : undefined,
    status === 'waiting' ? text('onramp.waiting.body', { provider }) : undefined,
    status === 'waiting' ? text('onramp.waiting.paid') : undefined,
    status === 'paid'
      ? text(got.amount === '' ? 'onramp.paid.someBody' : 'onramp.paid.body', { provider, ...got })
      : undefined,
    status === 'arrived' ? text('onramp.arrived.body', { provider }) : undefined,
    status === 'refused' ? text('onramp.refused.body', { provider }) : undefined,
    status === 'slow' ? text('onramp.slow.body', { provider, token: symbol }) : undefined,
    status === 'failed' && error ? translateError(commonText, error) : undefined,
    isUnreachable && (status === 'waiting' || status === 'paid') ? text('onramp.unreachable') : undefined,
  ]
  return (
    <Stack gap={8}>
      {lines.map(
        (line) =>
          line !== undefined && (
            <Text key={line} tone="soft">
              {line}
            </Text>
          ),
      )}
    </Stack>
  )
}

function Actions({ onramp, purchase }: { readonly onramp: Onramp; readonly purchase: OnrampPurchase }): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(onrampPurchaseMessages)
  const commonText = useTranslations(viewMessages)
  const { status, provider, url, chain, transaction } = purchase
  const name = providerName(provider)
  const hash = transaction?.metadata.hash
  const link = hash ? explorerLink(latchkey.network(chain), 'tx', hash) : undefined
  const stop = (): void => {
    onramp.dismiss()
    latchkey.modal.back()
  }
  const finish = (): void => {
    onramp.dismiss()
    latchkey.modal.reset('Account')
  }
  return (
    <>
      {status === 'blocked' && url !== undefined && (
        <LinkButton kind="primary" wide icon="external" href={url} onClick={onramp.resume}>
          {text('onramp.open', { provider: name })}
        </LinkButton>
      )}
      {status === 'slow' && (
        <Button kind="primary" wide icon="retry" onClick={onramp.resume}>
          {text('onramp.check')}
        </Button>
      )}
      {(status === 'failed' || status === 'refused') && (
        <Button kind="primary" wide icon="retry" onClick={() => onramp.buy(provider)}>
          {text('common.retry')}
        </Button>
      )}
      {(status === 'waiting' || status === 'slow') && (
        <Button wide onClick={() => onramp.buy(provider)}>
          {text('onramp.reopen')}
        </Button>
      )}
      {status === 'arrived' || status === 'paid' ? (
        <>
          {link && (
            <LinkButton wide icon="external" href={link.href}>
              {commonText('account.explorer', { explorer: link.name })}{' '}
              <VisuallyHidden>{text('common.newTab')}</VisuallyHidden>
            </LinkButton>
          )}
          <Button
            kind={status === 'arrived' ? 'primary' : 'secondary'}
            wide
            // A purchase that has not arrived yet is still tracked, and its progress can be shown again.
            onClick={status === 'arrived' ? finish : () => latchkey.modal.reset('Account')}
          >
            {status === 'arrived' ? text('onramp.done') : text('modal.close')}
          </Button>
        </>
      ) : (
        <Button kind="quiet" wide onClick={stop}>
          {status === 'failed' || status === 'refused' ? text('modal.back') : text('onramp.cancel')}
        </Button>
      )}
    </>
  )
}

/** Returns the amount and token that the provider reports, which can differ from the quote. An unknown amount is empty. */
function received(
  { locale }: Pick<Translator, 'locale'>,
  { transaction, symbol }: OnrampPurchase,
): { amount: string; token: string } {
  const [transfer] = transaction?.transfers ?? []
  const token = transfer?.fungible_info?.symbol || symbol
  const amount = transfer?.quantity.numeric ?? ''
  return { amount: /[1-9]/.test(amount) ? createOnrampFormat(locale).token(amount) : '', token }
}
