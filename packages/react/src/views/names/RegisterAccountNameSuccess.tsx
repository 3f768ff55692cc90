import { Button, Icon, Screen, Text, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import type { ViewProps } from '../viewProps.ts'
import css from './names.css?inline'
import { useNameTranslations } from './useNameTranslations.ts'

/** Renders a confirmation that an account name was registered. */
export function RegisterAccountNameSuccess({ data }: ViewProps<'RegisterAccountNameSuccess'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useNameTranslations()
  return (
    <Screen
      title={text('names.success.title')}
      align="center"
      footer={
        <Button kind="primary" wide onClick={() => latchkey.modal.reset('Account')}>
          {text('names.done')}
        </Button>
      }
    >
      <span className="name-mark" data-tone="success">
        <Icon name="check" size={24} />
      </span>
      {data && <Text>{text('names.success.body', { name: data.name })}</Text>}
    </Screen>
  )
}
