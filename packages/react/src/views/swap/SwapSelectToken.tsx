import type { SwapToken, SwapTokens } from '@latchkey/core'
import {
  Button,
  Group,
  IconButton,
  Notice,
  Row,
  Screen,
  Skeleton,
  Stack,
  shortAddress,
  Text,
  TextField,
  useStyleSheet,
  VirtualList,
  WalletLogo,
} from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { pickerMessages } from '../tokens/pickerMessages.ts'
import { TokenValue } from '../tokens/TokenRow.tsx'
import { fiatValue } from '../tokens/tokenAmounts.ts'
import { type TokenFormat, useTokenFormat } from '../tokens/useTokenFormat.ts'
import type { ViewProps } from '../viewProps.ts'
import css from './swapPicker.css?inline'
import { swapPickerMessages } from './swapPickerMessages.ts'
import { useSwap } from './useSwap.ts'

/** Renders the list of tokens for one side of the form. */
export function SwapSelectToken({ data: { side } }: ViewProps<'SwapSelectToken'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useTranslations(pickerMessages)
  const access = useSwap()
  const tokens = access.status === 'ready' ? access.state.tokens : undefined
  const retry = access.status === 'failed' ? access.retry : access.status === 'ready' ? access.feature.retry : undefined
  return (
    <Screen title={text('picker.title')}>
      {(access.status === 'failed' || tokens?.status === 'failed') && retry && (
        <Notice kind="warning" action={{ label: text('common.retry'), onClick: retry }}>
          {text('picker.failed')}
        </Notice>
      )}
      {tokens?.value ? (
        <Tokens
          tokens={tokens.value}
          selected={access.status === 'ready' ? access.state[side]?.id : undefined}
          onPick={({ id }) => {
            if (access.status === 'ready') access.feature.setToken(side, id)
            latchkey.modal.back()
          }}
        />
      ) : (
        tokens?.status !== 'failed' && access.status !== 'failed' && <Skeleton kind="row" count={4} />
      )}
    </Screen>
  )
}

function Tokens({
  tokens: { all, own, suggested },
  selected,
  onPick,
}: {
  readonly tokens: SwapTokens
  readonly selected: string | undefined
  readonly onPick: (token: SwapToken) => void
}): ReactNode {
  const text = useTranslations(pickerMessages)
  const swapText = useTranslations(swapPickerMessages)
  const format = useTokenFormat()
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  // The account's own tokens are listed above the others, unless the user searches.
  const owned = new Set(own.map(({ id }) => id))
  const found = all.filter((token) => (words === '' ? !owned.has(token.id) : matches(token, words)))
  const row = (token: SwapToken): ReactNode => (
    <TokenEntry token={token} format={format} current={token.id === selected} onClick={() => onPick(token)} />
  )
  return (
    <Stack>
      <TextField
        label={text('picker.search')}
        hideLabel
        type="search"
        placeholder={text('picker.search')}
        value={search}
        maxLength={100}
        trailing={
          search !== '' && <IconButton icon="close" label={text('picker.clear')} onClick={() => setSearch('')} />
        }
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {words === '' && (
        <ul className="swap-chips" aria-label={swapText('swap.suggested')}>
          {suggested.map((token) => (
            <li key={token.id}>
              <Button size="small" onClick={() => onPick(token)}>
                {token.symbol}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {words === '' && own.length > 0 && (
        <Group label={text('picker.yours')}>
          {own.map((token) => (
            <TokenEntry
              key={token.id}
              token={token}
              format={format}
              current={token.id === selected}
              onClick={() => onPick(token)}
            />
          ))}
        </Group>
      )}
      {words === '' && own.length > 0 && found.length > 0 && (
        <span className="group-label" aria-hidden="true">
          {swapText('swap.all')}
        </span>
      )}
      {found.length > 0 && (
        <VirtualList
          label={swapText('swap.all')}
          items={found}
          keyOf={({ id }) => id}
          gap={8}
          rowHeight={56}
          scrollKey={words}
        >
          {row}
        </VirtualList>
      )}
      {found.length === 0 && (words !== '' || all.length === 0) && (
        <div role="status">
          <Stack gap={4} align="center">
            <Text kind="row">{text('picker.none.title')}</Text>
            {words !== '' && <Text tone="soft">{text('picker.none.body', { search: search.trim() })}</Text>}
          </Stack>
        </div>
      )}
    </Stack>
  )
}

function matches({ name, symbol, address }: SwapToken, words: string): boolean {
  return name.toLowerCase().includes(words) || symbol.toLowerCase().includes(words) || address?.toLowerCase() === words
}

/** Renders a token with its balance. Unlisted tokens are marked, and their logos are not loaded. */
function TokenEntry({
  token,
  format,
  current,
  onClick,
}: {
  readonly token: SwapToken
  readonly format: TokenFormat
  readonly current: boolean
  readonly onClick: () => void
}): ReactNode {
  const { name, symbol, unlisted, address, balance, decimals } = token
  const isOwned = balance !== undefined && balance > 0n
  return (
    <Row
      icon={<WalletLogo name={symbol} src={unlisted ? undefined : token.iconUrl} shape="round" />}
      detail={<bdi>{isOwned ? `${format.amount(balance, decimals)}\u2009${symbol}` : symbol}</bdi>}
      tag={unlisted && { text: format.text('tokens.unlisted') }}
      trailing={
        unlisted && address !== undefined ? (
          <bdi dir="ltr">{shortAddress(address)}</bdi>
        ) : (
          isOwned && <TokenValue token={{ price: token.price, fiat: fiatValue(balance, token) }} format={format} />
        )
      }
      current={current}
      onClick={onClick}
    >
      {name || symbol}
    </Row>
  )
}
