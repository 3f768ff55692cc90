import { Button, Icon, moreIcons, Notice, Screen, Skeleton, Text, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import type { ViewProps } from '../viewProps.ts'
import css from './names.css?inline'
import { useAccountNames } from './useAccountNames.ts'
import { useNameTranslations } from './useNameTranslations.ts'

/** Renders an introduction to account names. */
export function ChooseAccountName(_: ViewProps<'ChooseAccountName'>): ReactNode {
  useStyleSheet(css)
  const latchkey = useLatchkey()
  const text = useNameTranslations()
  const { status, zone, names, retry } = useAccountNames()
  return (
    <Screen
      title={text('names.intro.title')}
      align="center"
      footer={
        <Button
          kind="primary"
          wide
          disabled={status !== 'ready'}
          onClick={() => {
            names?.opened()
            latchkey.modal.push('RegisterAccountName')
          }}
        >
          {text('names.intro.choose')}
        </Button>
      }
    >
      <span className="name-mark">
        <Icon name={moreIcons.key} size={24} />
      </span>
      {status === 'none' && (
        <Notice kind="warning" action={{ label: text('common.retry'), onClick: retry }}>
          {text('names.none')}
        </Notice>
      )}
      {status === 'loading' && <Skeleton kind="row" count={2} />}
      {status === 'ready' && (
        <>
          <Text>{text('names.intro.body', { name: `alice.${zone}` })}</Text>
          <Text tone="soft">{text('names.intro.public')}</Text>
        </>
      )}
    </Screen>
  )
}
