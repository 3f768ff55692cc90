import type { SwapState, Swap as Swaps, SwapToken } from '@latchkey/core'
import { formatUnits, parseUnits } from '@latchkey/protocol/amount'
import {
  Address,
  Button,
  IconButton,
  LiveRegion,
  moreIcons,
  Notice,
  Screen,
  Skeleton,
  Text,
  useStyleSheet,
} from '@latchkey/ui'
import { type FormEvent, type ReactNode, useEffect } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { FeatureFallback } from '../FeatureFallback.tsx'
import { AmountField, TextButton, TokenButton } from '../tokens/AmountField.tsx'
import { fiatValue } from '../tokens/tokenAmounts.ts'
import { useTokenFormat } from '../tokens/useTokenFormat.ts'
import type { ViewProps } from '../viewProps.ts'
import { impactLimits, percentText, SwapFacts } from './SwapDetails.tsx'
import css from './swap.css?inline'
import { UnconfirmedSwap } from './UnconfirmedSwap.tsx'
import { type SwapTranslator, useSwap, useSwapTranslations } from './useSwap.ts'

// Size budget: 4.6 kB, because of the two amounts with their tokens, the details of the quote, and a label for each problem.

/** Renders the form for swapping tokens. */
export function Swap({ data }: ViewProps<'Swap'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useSwapTranslations()
  const access = useSwap()
  const swap = access.status === 'ready' ? access.feature : undefined
  useEffect(() => void swap?.open(data), [swap, data])
  const state = access.status === 'ready' ? access.state : undefined
  return (
    <Screen title={text('swap.title')}>
      <FeatureFallback access={access} />
      {state?.supported === false && (
        <>
          <Text tone="soft">{text('swap.unsupported')}</Text>
          <Button wide onClick={() => latchkey.modal.push('Networks')}>
            {text('swap.unsupported.switch')}
          </Button>
        </>
      )}
      {state?.tokens.status === 'failed' && (
        <Notice kind="warning" action={{ label: text('common.retry'), onClick: () => swap?.retry() }}>
          {text('swap.notLoaded')}
        </Notice>
      )}
      {swap && state?.tokens.value && state.supported ? (
        <Form swap={swap} state={state} text={text} />
      ) : (
        state && state.supported !== false && state.tokens.status !== 'failed' && <Skeleton kind="row" count={3} />
      )}
    </Screen>
  )
}

interface Part {
  readonly swap: Swaps
  readonly state: SwapState
  readonly text: SwapTranslator
}

function Form({ swap, state, text }: Part): ReactNode {
  const latchkey = useLatchkey()
  const { quote, problem, review } = state
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
      {state.unconfirmed && <UnconfirmedSwap swap={swap} />}
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
          <SwapFacts quote={quote.value} text={text} />
        </details>
      )}
      <Problems swap={swap} state={state} text={text} />
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

/** Renders the notices below the amounts, each with a next action. */
function Problems({ swap, state: { quote, problem, from, to }, text }: Part): ReactNode {
  const impact = quote.value?.impactBps
  return (
    <>
      {[from, to].map((token) => token?.unlisted && <Unlisted key={token.id} token={token} text={text} />)}
      {problem === 'token-mismatch' && <Notice kind="error">{text('swap.mismatch')}</Notice>}
      {problem === 'no-liquidity' && <Notice kind="warning">{text('swap.liquidity.body')}</Notice>}
      {problem === 'no-quote' && (
        <Notice kind="warning" action={{ label: text('common.retry'), onClick: () => swap.retry() }}>
          {text('swap.failed')}
        </Notice>
      )}
      {impact !== undefined && impact >= impactLimits.noticed && (
        <Notice kind={impact >= impactLimits.accepted ? 'error' : 'warning'}>
          {text('swap.worse', { percent: percentText(impact, text.locale) })}
        </Notice>
      )}
    </>
  )
}

/** Renders the warning that a token is on no list, with its whole address. */
function Unlisted({ token, text }: { readonly token: SwapToken; readonly text: SwapTranslator }): ReactNode {
  return (
    <Notice kind="warning">
      {text('swap.unlisted', { symbol: token.symbol })}
      {token.address !== undefined && <Address address={token.address} whole />}
    </Notice>
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

/** Returns the received amount as plain decimal text, truncated to six decimal places. */
function receivedText(received: bigint, { decimals }: SwapToken): string {
  const unit = 10n ** BigInt(Math.max(decimals - 6, 0))
  return formatUnits(received < unit ? received : received - (received % unit), decimals)
}

function rateText(rate: string, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 }).format(rate as Intl.StringNumericLiteral)
}
