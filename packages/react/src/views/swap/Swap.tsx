import type { SwapState, Swap as Swaps, SwapToken } from '@latchkey/core'
import { formatUnits, parseUnits } from '@latchkey/protocol/amount'
import { Button, IconButton, LiveRegion, moreIcons, Screen, Skeleton, Stack, Text, useStyleSheet } from '@latchkey/ui'
import { type FormEvent, type ReactNode, useEffect } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { AmountField, TextButton, TokenButton } from '../tokens/AmountField.tsx'
import { fiatValue } from '../tokens/tokenAmounts.ts'
import { useTokenFormat } from '../tokens/useTokenFormat.ts'
import { FeatureFallback } from '../useLazyFeature.tsx'
import { useLazyModule, useRarePart } from '../useLazyModule.ts'
import type { ViewProps } from '../viewProps.ts'
import css from './swapForm.css?inline'
import { impactLimits } from './swapFormat.ts'
import { type SwapTranslator, useSwap, useSwapTranslations } from './useSwap.ts'

/** Renders the form for swapping tokens. */
export function Swap({ data }: ViewProps<'Swap'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useSwapTranslations()
  const access = useSwap()
  const swap = access.status === 'ready' ? access.feature : undefined
  useEffect(() => void swap?.open(data), [swap, data])
  const state = access.status === 'ready' ? access.state : undefined
  const isFailed = state?.tokens.status === 'failed'
  const needsNotices = isFailed || (state !== undefined && hasNotice(state))
  const part = useRarePart(loadNotices, needsNotices)
  const notices = part.value
  // Do not show the form before the notice that a transaction may already have been sent.
  const canShowForm = state?.unconfirmed !== true || notices !== undefined
  return (
    <Screen title={text('swap.title')}>
      <FeatureFallback access={access} />
      {state?.supported === false && (
        <>
          <Stack align="center">
            <Text tone="soft">{text('swap.unsupported')}</Text>
          </Stack>
          <Button wide icon={moreIcons.network} onClick={() => latchkey.modal.push('Networks')}>
            {text('swap.unsupported.switch')}
          </Button>
        </>
      )}
      {isFailed && swap && notices && <notices.TokensNotLoaded swap={swap} />}
      {needsNotices && part.failed && <FeatureFallback access={part} />}
      {swap && state?.tokens.value && state.supported && canShowForm ? (
        <Form swap={swap} state={state} text={text} notices={notices} />
      ) : (
        state && state.supported !== false && !isFailed && !part.failed && <Skeleton kind="row" count={3} />
      )}
    </Screen>
  )
}

const loadNotices = () => import('./SwapNotices.tsx')
type Notices = Awaited<ReturnType<typeof loadNotices>>
const loadFacts = async () => (await import('./SwapFacts.tsx')).SwapFacts

/** Whether one of the notices has to be shown. */
function hasNotice({ unconfirmed, from, to, problem, quote }: SwapState): boolean {
  return (
    unconfirmed ||
    from?.unlisted === true ||
    to?.unlisted === true ||
    problem === 'token-mismatch' ||
    problem === 'no-liquidity' ||
    problem === 'no-quote' ||
    (quote.value?.impactBps ?? 0) >= impactLimits.noticed
  )
}

interface Part {
  readonly swap: Swaps
  readonly state: SwapState
  readonly text: SwapTranslator
}

function Form({ swap, state, text, notices }: Part & { readonly notices: Notices | undefined }): ReactNode {
  const latchkey = useLatchkey()
  const { quote, problem, review } = state
  // The details are collapsed at first, so their code is loaded at the same time as the quote.
  const facts = useLazyModule(loadFacts, quote.status !== 'idle')
  const isBusy = review?.status === 'confirming' || review?.status === 'pending'
  const symbol = (state.chain && latchkey.network(state.chain)?.nativeCurrency.symbol) ?? ''
  const labels = {
    'no-token': text('swap.select'),
    'same-token': text('swap.select'),
    'token-mismatch': text('swap.select'),
    'no-amount': text('swap.enter'),
    'invalid-amount': text('swap.enter'),
    'insufficient-balance': text('swap.funds'),
    'insufficient-gas': text('swap.gas', { symbol }),
    'no-liquidity': text('swap.liquidity'),
    'no-quote': text('swap.review'),
  } as const
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (swap.review()) latchkey.modal.push('SwapPreview')
  }
  return (
    <form className="swap-form" noValidate onSubmit={submit}>
      {state.unconfirmed && notices && <notices.UnconfirmedSwap swap={swap} />}
      {isBusy && (
        <Button wide icon={moreIcons.swap} onClick={() => latchkey.modal.push('SwapPreview')}>
          {text('swap.progress')}
        </Button>
      )}
      <div className="swap-sides">
        <Side side="from" swap={swap} state={state} text={text} disabled={isBusy} />
        <span className="swap-flip">
          <IconButton icon={moreIcons.swap} label={text('swap.flip')} disabled={isBusy} onClick={() => swap.flip()} />
        </span>
        <Side side="to" swap={swap} state={state} text={text} disabled={isBusy} />
      </div>
      <LiveRegion>{quote.status === 'loading' ? text('swap.loading') : ''}</LiveRegion>
      {quote.status === 'ready' && (
        <details className="swap-details">
          <summary>
            {text('swap.details')} ·{' '}
            <bdi>{`1\u2009${quote.value.from.symbol} = ${rateText(quote.value.rate, text.locale)}\u2009${quote.value.to.symbol}`}</bdi>
          </summary>
          {facts.value ? <facts.value quote={quote.value} /> : <FeatureFallback access={facts} />}
        </details>
      )}
      {notices && <notices.SwapNotices swap={swap} state={state} />}
      <Button
        type="submit"
        kind="primary"
        wide
        busy={problem === undefined && quote.status === 'loading'}
        disabled={isBusy || problem !== undefined || quote.status !== 'ready'}
      >
        {problem === undefined ? text(quote.status === 'loading' ? 'swap.loading' : 'swap.review') : labels[problem]}
      </Button>
    </form>
  )
}

function Side({ side, swap, state, text, disabled }: Part & { side: 'from' | 'to'; disabled: boolean }): ReactNode {
  const latchkey = useLatchkey()
  const format = useTokenFormat()
  const { quote, amount: entered } = state
  const token = state[side]
  const isFrom = side === 'from'
  const received = quote.status === 'ready' ? quote.value.received : undefined
  const amount = isFrom ? token && parseUnits(entered, token.decimals) : received
  const dollars = token && amount !== undefined && amount > 0n ? fiatValue(amount, token) : undefined
  const label = text(isFrom ? 'swap.pay' : 'swap.receive')
  return (
    <AmountField
      label={label}
      heading={label}
      value={isFrom ? entered : received === undefined || !token ? '' : receivedText(received, token)}
      decimals={token?.decimals ?? 18}
      locale={text.locale}
      readOnly={!isFrom || disabled}
      invalid={isFrom && state.problem === 'insufficient-balance'}
      onChange={isFrom ? swap.setAmount : undefined}
      trailing={
        <TokenButton
          token={token?.unlisted ? { ...token, hidden: 'unlisted' } : token}
          label={text('swap.token', { side: label, token: token?.symbol ?? '' })}
          placeholder={text('swap.select')}
          disabled={disabled}
          onClick={() => {
            latchkey.track({ event: 'CLICK_SELECT_TOKEN_TO_SWAP' })
            latchkey.modal.push('SwapSelectToken', { side })
          }}
        />
      }
      below={
        <>
          {dollars !== undefined && <bdi>≈ {format.fiat(dollars)}</bdi>}
          {token?.balance !== undefined && (
            <span className="swap-balance">
              {text('swap.balance', { amount: format.amount(token.balance, token.decimals) })}{' '}
              {isFrom && token.balance > 0n && (
                <TextButton disabled={disabled} onClick={() => swap.setMax()}>
                  {text('swap.max')}
                </TextButton>
              )}
            </span>
          )}
        </>
      }
    />
  )
}

/** Returns the received amount as plain decimal text, truncated to six decimal places unless that would leave zero. */
function receivedText(received: bigint, { decimals }: SwapToken): string {
  const unit = 10n ** BigInt(Math.max(decimals - 6, 0))
  return formatUnits(received < unit ? received : received - (received % unit), decimals)
}

function rateText(rate: string, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 }).format(rate as Intl.StringNumericLiteral)
}
