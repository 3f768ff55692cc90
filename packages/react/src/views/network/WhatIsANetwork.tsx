import { Button, moreIcons, Screen } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { InfoList } from '../InfoList.tsx'
import { useInfoTranslations } from '../useInfoTranslations.ts'
import type { ViewProps } from '../viewProps.ts'

/** Explains what a network is and why there are many networks. */
export function WhatIsANetwork(_: ViewProps<'WhatIsANetwork'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useInfoTranslations()
  return (
    <Screen
      title={text('whatIsANetwork.title')}
      footer={
        <Button kind="primary" wide onClick={() => latchkey.modal.back()}>
          {text('whatIsANetwork.choose')}
        </Button>
      }
    >
      <InfoList
        items={[
          {
            icon: moreIcons.network,
            title: text('whatIsANetwork.shared.title'),
            body: text('whatIsANetwork.shared.body'),
          },
          { icon: moreIcons.swap, title: text('whatIsANetwork.many.title'), body: text('whatIsANetwork.many.body') },
        ]}
      />
    </Screen>
  )
}
