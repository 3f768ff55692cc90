import type { QueryResult, Token } from '@latchkey/core'
import { Button, Group, IconButton, Notice, Skeleton, Stack, Text, TextField } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
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
  /** Adds the token at an address that the user searched for. Resolves to `undefined` if there is none. */
  readonly onAdd: (address: string) => Promise<Token | undefined>
  /** Content after the message that the account has no tokens, such as a button to buy some. */
  readonly whenEmpty?: ReactNode
}

const evmAddress = /^0x[0-9a-f]{40}$/

/**
 * Renders the account's tokens with a search field. Hidden tokens are only shown on demand or as search results. Entering the
 * address of any other token adds that token.
 */
export function TokenPicker({
  tokens,
  selected,
  network,
  onPick,
  onRetry,
  onAdd,
  whenEmpty,
}: TokenPickerProps): ReactNode {
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
  const canAdd = found.length === 0 && tokens.status !== 'idle' && evmAddress.test(words)
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
      {tokens.status === 'failed' && (
        <Notice kind="warning" action={{ label: text('common.retry'), onClick: onRetry }}>
          {text('picker.failed')}
        </Notice>
      )}
      {all.length === 0 && tokens.status !== 'failed' && tokens.status !== 'ready' && <Skeleton kind="row" count={3} />}
      {visible.length > 0 && <Group label={text('picker.yours')}>{rows(visible)}</Group>}
      {tokens.status === 'ready' && all.length === 0 && words === '' && (
        <Stack align="center">
          <Stack gap={4} align="center">
            <Text kind="row">{text('picker.empty.title')}</Text>
            <Text tone="soft">{text('picker.empty.body', { network })}</Text>
          </Stack>
          {whenEmpty}
        </Stack>
      )}
      {canAdd && <AddedToken key={words} address={words} network={network} onAdd={onAdd} />}
      {words !== '' && found.length === 0 && !canAdd && (
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

/** Reads the token at an address and adds it to the list, which then shows it. Renders the progress and failures. */
function AddedToken({
  address,
  network,
  onAdd,
}: { readonly address: string } & Pick<TokenPickerProps, 'network' | 'onAdd'>): ReactNode {
  const text = useTranslations(pickerMessages)
  const [attempt, setAttempt] = useState(0)
  const [status, setStatus] = useState<'reading' | 'none' | 'failed'>('reading')
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is read once, and again when the user retries.
  useEffect(() => {
    let unmounted = false
    const put = (next: typeof status): void => {
      if (!unmounted) setStatus(next)
    }
    put('reading')
    // Strict Mode mounts components twice, and the token must only be read once.
    void Promise.resolve()
      .then(() => (unmounted ? undefined : onAdd(address).then((token) => put(token ? 'reading' : 'none'))))
      .catch(() => put('failed'))
    return () => {
      unmounted = true
    }
  }, [address, attempt])
  if (status === 'reading') return <Skeleton kind="row" />
  return status === 'failed' ? (
    <Notice kind="warning" action={{ label: text('common.retry'), onClick: () => setAttempt(attempt + 1) }}>
      {text('picker.contract.failed')}
    </Notice>
  ) : (
    <div role="status">
      <Stack align="center">
        <Text tone="soft">{text('picker.contract.none', { network })}</Text>
      </Stack>
    </div>
  )
}
