import type { PortfolioState, Token } from '@latchkey/core'
import type { Network } from '@latchkey/core/adapter'
import { isLatchkeyError } from '@latchkey/protocol/latchkeyError'
import { balanceRetryGapMs } from '@latchkey/protocol/specificationConstants'
import { Button, LiveRegion, Notice, Skeleton, Stack, Text, useStyleSheet } from '@latchkey/ui'
import { type ReactNode, useCallback, useState } from 'react'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { explorerLink } from '../explorerLink.ts'
import { TokenRow } from '../tokens/TokenRow.tsx'
import { useTokenFormat } from '../tokens/useTokenFormat.ts'
import { translateError } from '../translateError.ts'
import { useTimeout } from '../useClock.ts'
import { useLazyModule } from '../useLazyModule.ts'
import { viewMessages } from '../viewMessages.ts'
import css from './accountLists.css?inline'
import { accountMessages } from './accountMessages.ts'

type Tokens = PortfolioState['tokens']

/** The number of tokens that are shown at first. */
const topTokens = 4
/** The number of tokens up to which all rows are rendered. */
const shortList = 20
const loadLongTokenList = async () => (await import('./LongTokenList.tsx')).LongTokenList

/** Renders the account's most valuable tokens, with buttons to show all tokens and the hidden ones. */
export function TokenList({
  tokens,
  network,
  onRetry,
}: {
  readonly tokens: Tokens
  readonly network: Network | undefined
  readonly onRetry: () => void
}): ReactNode {
  useStyleSheet(css)
  const text = useTranslations(accountMessages)
  const format = useTokenFormat()
  const [showsAll, setShowsAll] = useState(false)
  const [showsHidden, setShowsHidden] = useState(false)
  const owned = tokens.value
  const draw = useCallback(
    (token: Token) => (
      <TokenRow
        token={token}
        format={format}
        // Hidden tokens have no link to the explorer, because scammers use their names to attract users.
        href={token.address && !token.hidden ? explorerLink(network, 'token', token.address)?.href : undefined}
      />
    ),
    [format, network],
  )
  const listed = owned?.filter(({ hidden }) => hidden === undefined) ?? []
  const hidden = owned?.filter((token) => token.hidden !== undefined) ?? []
  const isLoading = owned === undefined && tokens.status !== 'failed'
  const shown = showsAll ? listed : listed.slice(0, topTokens)
  return (
    <Stack gap={8}>
      <LiveRegion>{isLoading ? text('account.tokensLoading') : ''}</LiveRegion>
      {tokens.status === 'failed' && <Failure tokens={tokens} onRetry={onRetry} />}
      {isLoading && (
        <div className="tokens">
          <Skeleton kind="row" count={topTokens} />
        </div>
      )}
      {owned !== undefined && listed.length === 0 && tokens.status !== 'failed' && (
        <Stack align="center">
          <Text tone="soft">{text('account.tokensEmpty', { network: network?.name ?? '' })}</Text>
        </Stack>
      )}
      <Tokens tokens={shown} label={text('account.tokens')} draw={draw} />
      {listed.length > topTokens && (
        <Button kind="quiet" size="small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? text('account.tokensLess') : text('account.tokensAll', { count: text.number(listed.length) })}
        </Button>
      )}
      {hidden.length > 0 && (
        <Button kind="quiet" size="small" aria-expanded={showsHidden} onClick={() => setShowsHidden(!showsHidden)}>
          {showsHidden ? text('account.hidden.hide') : text.plural('account.hidden', hidden.length)}
        </Button>
      )}
      {showsHidden && hidden.length > 0 && (
        <>
          <Notice kind="warning">{text('account.hidden.warning')}</Notice>
          <Tokens tokens={hidden} label={text('account.hidden.hide')} draw={draw} />
        </>
      )}
    </Stack>
  )
}

/** Renders a short list in full, and a long one as a virtualized list. */
function Tokens({
  tokens,
  label,
  draw,
}: {
  readonly tokens: readonly Token[]
  readonly label: string
  readonly draw: (token: Token) => ReactNode
}): ReactNode {
  const isLong = tokens.length > shortList
  const { value: LongTokenList, failed, retry } = useLazyModule(loadLongTokenList, isLong)
  const text = useTranslations()
  if (tokens.length === 0) return null
  if (isLong && LongTokenList) return <LongTokenList tokens={tokens} label={label} draw={draw} />
  return (
    <>
      <ul className="tokens" aria-label={label}>
        {tokens.slice(0, shortList).map((token) => (
          <li key={token.id}>{draw(token)}</li>
        ))}
      </ul>
      {failed && (
        <Notice kind="warning" action={{ label: text('common.retry'), onClick: retry }}>
          {text('modal.loadFailed')}
        </Notice>
      )}
    </>
  )
}

/** Renders the reason for a failure. The retry button appears once a request is possible again. */
function Failure({
  tokens,
  onRetry,
}: {
  readonly tokens: Extract<Tokens, { status: 'failed' }>
  readonly onRetry: () => void
}): ReactNode {
  const text = useTranslations(accountMessages)
  const viewText = useTranslations(viewMessages)
  const { error, value } = tokens
  const canRetry = useTimeout({ ms: balanceRetryGapMs, active: true, key: error })
  const reason = translateError(viewText, isLatchkeyError(error.cause) ? error.cause : error)
  return (
    <Notice
      kind="warning"
      title={text('account.tokensFailed')}
      action={canRetry ? { label: text('common.retry'), onClick: onRetry } : undefined}
    >
      {reason} {value !== undefined && text('account.tokensOld')} {!canRetry && text('account.tokensWait')}
    </Notice>
  )
}
