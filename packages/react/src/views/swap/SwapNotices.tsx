import type { SwapState, Swap as Swaps, SwapToken } from '@latchkey/core'
import { Address, Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { impactLimits, percentText } from './swapFormat.ts'
import { swapNoticeMessages } from './swapNoticeMessages.ts'
import { UnconfirmedSwap } from './UnconfirmedSwap.tsx'

export { UnconfirmedSwap }

/** Renders the notices about the tokens and the quote below the amounts. */
export function SwapNotices({
  swap,
  state: { quote, problem, from, to },
}: {
  readonly swap: Swaps
  readonly state: SwapState
}): ReactNode {
  const text = useTranslations(swapNoticeMessages)
  const impact = quote.value?.impactBps
  return (
    <>
      {[from, to].map((token) => token?.unlisted && <Unlisted key={token.id} token={token} />)}
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

/** Renders a notice that the tokens could not be loaded, with a retry button. */
export function TokensNotLoaded({ swap }: { readonly swap: Swaps }): ReactNode {
  const text = useTranslations(swapNoticeMessages)
  return (
    <Notice kind="warning" action={{ label: text('common.retry'), onClick: () => swap.retry() }}>
      {text('swap.notLoaded')}
    </Notice>
  )
}

/** Renders a warning that a token is not on a token list, with its whole address. */
function Unlisted({ token }: { readonly token: SwapToken }): ReactNode {
  const text = useTranslations(swapNoticeMessages)
  return (
    <Notice kind="warning">
      {text('swap.unlisted', { symbol: token.symbol })}
      {token.address !== undefined && <Address address={token.address} whole />}
    </Notice>
  )
}
