import type { AccountNamesState } from '@latchkey/core'
import { labelProblem } from '@latchkey/protocol/accountNames'
import { isLatchkeyError, type LatchkeyError } from '@latchkey/protocol/latchkeyError'
import {
  Button,
  Group,
  LiveRegion,
  Notice,
  Row,
  Screen,
  Skeleton,
  Spinner,
  TextField,
  useStyleSheet,
} from '@latchkey/ui'
import type { FormEvent, ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { translateError } from '../translateError.ts'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import css from './names.css?inline'
import { type AccountNamesAccess, useAccountNames } from './useAccountNames.ts'
import { useNameTranslations } from './useNameTranslations.ts'

/** Renders the form for registering an account name. */
export function RegisterAccountName(_: ViewProps<'RegisterAccountName'>): ReactNode {
  useStyleSheet(css)
  const text = useNameTranslations()
  const access = useAccountNames()
  return (
    <Screen title={text('names.title')}>
      {access.status === 'loading' && <Skeleton kind="row" count={2} />}
      {access.status === 'none' && (
        <Notice kind="warning" action={{ label: text('common.retry'), onClick: access.retry }}>
          {text('names.none')}
        </Notice>
      )}
      {access.status === 'ready' && <Form {...access} />}
    </Screen>
  )
}

function Form({ names, zone, state }: AccountNamesAccess): ReactNode {
  const latchkey = useLatchkey()
  const text = useNameTranslations()
  const { suggestions, registering, error } = state
  const label = state.text
  const name = `${label}.${zone}`
  const problem = label === '' ? undefined : labelProblem(label)
  const isTaken = suggestionFor(name, state)?.registered
  const isFree = isTaken === false
  const canRegister = label !== '' && !problem && !isTaken && !registering

  const register = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (!canRegister) return
    names?.register().then(
      (registered) => {
        const { open, stack } = latchkey.state.get().modal
        // The user could have closed the modal or opened another view while the wallet was prompting for the signature.
        if (open && stack.at(-1)?.view === 'RegisterAccountName')
          latchkey.modal.replace('RegisterAccountNameSuccess', { name: registered })
        else latchkey.toast('success', text('names.success.toast', { name: registered }))
      },
      // The error is in the state.
      () => undefined,
    )
  }
  return (
    <form className="name-form" noValidate onSubmit={register}>
      <TextField
        label={text('names.label')}
        value={label}
        readOnly={registering}
        maxLength={80}
        enterKeyHint="done"
        autoCorrect="off"
        dir="ltr"
        error={
          problem && problem !== 'too-short'
            ? text(problemTexts[problem])
            : isTaken
              ? text('names.taken', { name })
              : undefined
        }
        hint={isFree ? text('names.free', { name }) : text('names.rule')}
        trailing={
          <span className="name-zone" dir="ltr">
            .{zone}
            {suggestions.status === 'loading' && <Spinner />}
          </span>
        }
        onChange={(event) => names?.setText(event.currentTarget.value)}
      />
      <LiveRegion>
        {suggestions.status === 'loading' ? text('names.checking') : isFree ? text('names.free', { name }) : ''}
      </LiveRegion>
      {(suggestions.status === 'failed' || (suggestions.status === 'ready' && isTaken === undefined)) && (
        <Notice kind="warning" action={{ label: text('common.retry'), onClick: () => names?.retry() }}>
          {text('names.uncheckable')}
        </Notice>
      )}
      {error && <Failure error={error} name={name} />}
      <Button type="submit" kind="primary" wide busy={registering} disabled={!canRegister && !registering}>
        {text(registering ? 'names.confirm' : 'names.register')}
      </Button>
      <Suggestions names={names} zone={zone} state={state} />
    </form>
  )
}

function Suggestions({ names, zone, state }: Pick<AccountNamesAccess, 'names' | 'zone' | 'state'>): ReactNode {
  const text = useNameTranslations()
  const free = (state.suggestions.value ?? []).filter(
    ({ name, registered }) => !registered && name !== `${state.text}.${zone}` && name.endsWith(`.${zone}`),
  )
  if (free.length === 0) return null
  return (
    <Group label={text('names.suggestions')}>
      {free.map(({ name }) => (
        <Row
          key={name}
          tag={{ text: text('names.tag.free'), tone: 'success' }}
          disabled={state.registering}
          onClick={() => names?.setText(name.slice(0, -zone.length - 1))}
        >
          <bdi dir="ltr">{name}</bdi>
        </Row>
      ))}
    </Group>
  )
}

const problemTexts = {
  characters: 'names.characters',
  hyphens: 'names.hyphens',
  'too-long': 'names.long',
} as const

function suggestionFor(name: string, { suggestions }: AccountNamesState) {
  return suggestions.value?.find((item) => item.name === name)
}

function Failure({ error, name }: { readonly error: LatchkeyError; readonly name: string }): ReactNode {
  const text = useNameTranslations()
  const commonText = useTranslations(viewMessages)
  const key = failureText(error)
  return <Notice kind="error">{key ? text(key, { name }) : translateError(commonText, error)}</Notice>
}

function failureText(error: LatchkeyError) {
  if (error.code === 'user/rejected') return 'names.rejected'
  if (error.code === 'wallet/unsupported' || error.code === 'network/unsupported') return 'names.unsigned'
  if (!isLatchkeyError(error, 'http/failed')) return undefined
  const { field, status } = error.details
  if (field === 'timestamp') return 'names.late'
  if (status === 400 && field === 'name') return 'names.taken'
  if (status === 400 && field === 'address') return 'names.limit'
  if (status === 400 && field === 'coin_type') return 'names.unsigned'
  return status < 500 ? 'names.refused' : undefined
}
