import type { Onramp, OnrampLimit, OnrampOffer, OnrampState } from '@latchkey/core'
import { addDecimals } from '@latchkey/protocol/amount'
import { Group, Row, Screen, Skeleton, Text, useStyleSheet, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { AmountField, TokenButton } from '../tokens/AmountField.tsx'
import type { ViewProps } from '../viewProps.ts'
import { OnrampUnavailable } from './OnrampUnavailable.tsx'
import css from './onramp.css?inline'
import { createOnrampFormat, type OnrampFormat } from './onrampFormat.ts'
import { providerName } from './providerName.ts'
import { useOnramp } from './useOnramp.ts'
import { type OnrampTranslator, useOnrampTranslations } from './useOnrampTranslations.ts'

/** Renders the form for buying crypto, with the offers of the providers. */
export function OnRampProviders(_: ViewProps<'OnRampProviders'>): ReactNode {
  useStyleSheet(css)
  const text = useOnrampTranslations()
  const access = useOnramp()
  const { onramp, state, isNone } = access
  const reported = useRef(false)
  useEffect(() => {
    if (!onramp || reported.current) return
    reported.current = true
    onramp.opened()
  }, [onramp])
  return (
    <Screen title={text('onramp.title')}>
      {onramp && state?.purchase && <PendingRow purchase={state.purchase} />}
      {!isNone && (state?.status ?? 'loading') === 'loading' && <Skeleton kind="row" count={3} />}
      {(isNone || (state && state.status !== 'loading' && (state.status !== 'ready' || state.tokens.length === 0))) && (
        <OnrampUnavailable {...access} />
      )}
      {onramp && state && state.tokens.length > 0 && <Form onramp={onramp} state={state} />}
    </Screen>
  )
}

function PendingRow({ purchase }: { readonly purchase: NonNullable<OnrampState['purchase']> }): ReactNode {
  const latchkey = useLatchkey()
  const text = useOnrampTranslations()
  const format = createOnrampFormat(text.locale)
  const { amount, currency, provider } = purchase
  return (
    <Group name={text('onramp.pending')}>
      <Row
        trailing="chevron"
        detail={text('onramp.pending.detail', {
          amount: format.money(amount, currency),
          provider: providerName(provider),
        })}
        onClick={() => latchkey.modal.push('BuyInProgress', { provider })}
      >
        {text('onramp.pending')}
      </Row>
    </Group>
  )
}

function Form({ onramp, state }: { readonly onramp: Onramp; readonly state: OnrampState }): ReactNode {
  const latchkey = useLatchkey()
  const text = useOnrampTranslations()
  const format = useMemo(() => createOnrampFormat(text.locale), [text.locale])
  const { amount, currency = '', token, offers, chain } = state
  const network = chain && latchkey.network(chain)
  return (
    <>
      <AmountField
        label={text('onramp.amount')}
        value={amount}
        decimals={2}
        locale={text.locale}
        onChange={onramp.setAmount}
        trailing={
          <TokenButton
            token={{ name: currency, symbol: currency }}
            label={text('onramp.currency', { currency })}
            placeholder={text('onramp.chooseCurrency')}
            onClick={() => latchkey.modal.push('OnRampFiatSelect')}
          />
        }
      />
      <Group label={text('onramp.receive')}>
        <Row
          icon={<WalletLogo name={token?.symbol ?? ''} shape="round" />}
          detail={token?.name}
          trailing="chevron"
          onClick={() => latchkey.modal.push('OnRampTokenSelect')}
        >
          {text('onramp.token', { token: token?.symbol ?? '', network: network?.name ?? chain ?? '' })}
        </Row>
      </Group>
      <Group label={text('onramp.providers')}>
        {offers.map((offer) => (
          <Row
            key={offer.provider}
            icon={<WalletLogo name={offer.label} />}
            trailing="external"
            disabled={!isAmount(amount) || offer.problem !== undefined || offer.options.status === 'loading'}
            detail={<OfferDetail offer={offer} state={state} format={format} text={text} />}
            onClick={() => {
              onramp.buy(offer.provider)
              // If the account or network has changed, the offers are loaded again instead of buying.
              if (onramp.state.get().purchase?.provider === offer.provider)
                latchkey.modal.push('BuyInProgress', { provider: offer.provider })
            }}
          >
            {offer.label}
          </Row>
        ))}
      </Group>
      <Text tone="soft">{text(isAmount(amount) ? 'onramp.estimate' : 'onramp.enter')}</Text>
    </>
  )
}

function OfferDetail({
  offer,
  state: { amount, currency = '', token },
  format,
  text,
}: {
  readonly offer: OnrampOffer
  readonly state: OnrampState
  readonly format: OnrampFormat
  readonly text: OnrampTranslator
}): ReactNode {
  const { quote, problem, options, feePercent, limits } = offer
  const known = [
    options.status === 'failed' ? text('onramp.badOptions') : undefined,
    problem && problemText(text, problem, { currency, token: token?.symbol ?? '' }),
    quote.status === 'loading' ? text('onramp.quoting') : undefined,
    quote.status === 'ready'
      ? text('onramp.quote', {
          amount: format.token(quote.value.purchaseAmount.amount),
          token: quote.value.purchaseAmount.currency,
          fees: feesText(quote.value, format),
        })
      : undefined,
    quote.status === 'failed' && isAmount(amount) ? text('onramp.noQuote', { provider: offer.label }) : undefined,
  ]
  const usual = [
    text('onramp.fee', { min: text.number(feePercent.min), max: text.number(feePercent.max) }),
    ...limits.map((limit) => limitText(text, limit, (amount) => format.money(amount, currency))),
  ]
  return (
    <span className="onramp-offer">
      {known.map((line) => line !== undefined && <strong key={line}>{line}</strong>)}
      {usual.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  )
}

function feesText(
  { coinbaseFee, networkFee }: NonNullable<OnrampOffer['quote']['value']>,
  format: OnrampFormat,
): string {
  if (coinbaseFee.currency === networkFee.currency)
    return format.money(addDecimals([coinbaseFee.amount, networkFee.amount]), coinbaseFee.currency)
  return [coinbaseFee, networkFee].map(({ amount, currency }) => format.money(amount, currency)).join(' + ')
}

function problemText(
  text: OnrampTranslator,
  problem: NonNullable<OnrampOffer['problem']>,
  values: { readonly currency: string; readonly token: string },
): string {
  switch (problem) {
    case 'currency':
      return text('onramp.badCurrency', values)
    case 'token':
      return text('onramp.badToken', values)
    case 'too-little':
      return text('onramp.little')
    case 'too-much':
      return text('onramp.much')
  }
}

function limitText(text: OnrampTranslator, { id, ...limit }: OnrampLimit, money: (amount: string) => string): string {
  const range = { min: money(limit.min), max: money(limit.max) }
  switch (id.toLowerCase()) {
    case 'card':
      return text('onramp.limit.card', range)
    case 'ach_bank_account':
      return text('onramp.limit.bank', range)
    case 'apple_pay':
      return text('onramp.limit.named', { method: 'Apple Pay', ...range })
    default:
      return text('onramp.limit.range', range)
  }
}

const isAmount = (amount: string): boolean => /[1-9]/.test(amount)
