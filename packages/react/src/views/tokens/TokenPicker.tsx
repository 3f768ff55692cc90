import type { QueryResult, Token } from '@latchkey/core'
import { Button, Group, IconButton, Notice, Skeleton, Stack, Text, TextField } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { pickerMessages } from './pickerMessages.ts'
import { TokenRow } from './TokenRow.tsx'
import { useTokenFormat } from './useTokenFormat.ts'

/** Props for `TokenPicker`. */
export interface TokenPickerProps {
  readonly tokens: QueryResult<readonly Token[]>
  /** The ID of the selected token. */
  readonly selected: string | undefined
  /** The display name of the network. */
  readonly network: string
  readonly onPick: (token: Token) => void
  readonly onRetry: () => void
  /** Content after the message that the account has no tokens, such as a button to buy some. */
  readonly whenEmpty?: ReactNode
}

/** The number of tokens from which the list has a search field. */
const searchableCount = 6

/** Renders the account's tokens with a search field. Hidden tokens are only shown on demand or as search results. */
export function TokenPicker({ tokens, selected, network, onPick, onRetry, whenEmpty }: TokenPickerProps): ReactNode {
  const text = useTranslations(pickerMessages)
  const format = useTokenFormat()
  const [search, setSearch] = useState('')
  const [showsHidden, setShowsHidden] = useState(false)
  const all = tokens.value ?? []
  const words = search.trim().toLowerCase()
  const found = all.filter(
    ({ name, symbol, address }) =>
      name.toLowerCase().includes(words) || symbol.toLowerCase().includes(words) || address?.toLowerCase() === words,
  )
  const visible = found.filter(({ hidden }) => !hidden)
  const hidden = found.filter((token) => token.hidden)
  const rows = (list: readonly Token[]): ReactNode =>
    list.map((token) => (
      <TokenRow
        key={token.id}
        token={token}
        format={format}
        current={token.id === selected}
        onClick={() => onPick(token)}
      />
    ))
  return (
    <Stack>
      {all.length >= searchableCount && (
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
      )}
      {tokens.status === 'failed' && (
        <Notice kind="warning" action={{ label: text('common.retry'), onClick: onRetry }}>
          {text('picker.failed')}
        </Notice>
      )}
      {all.length === 0 && tokens.status !== 'failed' && tokens.status !== 'ready' && <Skeleton kind="row" count={3} />}
      {visible.length > 0 && <Group label={text('picker.yours')}>{rows(visible)}</Group>}
      {tokens.status === 'ready' && all.length === 0 && (
        <Stack gap={4} align="center">
          <Text kind="row">{text('picker.empty.title')}</Text>
          <Text tone="soft">{text('picker.empty.body', { network })}</Text>
          {whenEmpty}
        </Stack>
      )}
      {all.length > 0 && found.length === 0 && (
        <div role="status">
          <Stack gap={4} align="center">
            <Text kind="row">{text('picker.none.title')}</Text>
            <Text tone="soft">{text('picker.none.body', { search: search.trim() })}</Text>
          </Stack>
        </div>
      )}
      {hidden.length > 0 &&
        (showsHidden || words !== '' ? (
          <>
            <Group label={text('picker.hidden')}>{rows(hidden)}</Group>
            <Text tone="soft">{text('picker.hiddenNote')}</Text>
          </>
        ) : (
          <Button kind="quiet" wide onClick={() => setShowsHidden(true)}>
            {text('picker.show')}
          </Button>
        ))}
    </Stack>
  )
}
