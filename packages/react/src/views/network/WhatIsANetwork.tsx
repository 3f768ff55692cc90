import { Button, Screen } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useText } from '../../i18n/useText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { Explain } from '../Explain.tsx'

/** For whoever asks: what a network is, and why there are many. */
export function WhatIsANetwork(_: ViewProps<'WhatIsANetwork'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useText()
  return (
    <Screen
      title={text('whatIsANetwork.title')}
      footer={
        <Button kind="primary" wide onClick={() => latchkey.modal.back()}>
          {text('whatIsANetwork.choose')}
        </Button>
      }
    >
      <Explain
        points={[
          { icon: 'network', title: text('whatIsANetwork.shared.title'), body: text('whatIsANetwork.shared.body') },
          { icon: 'swap', title: text('whatIsANetwork.many.title'), body: text('whatIsANetwork.many.body') },
        ]}
      />
    </Screen>
  )
}
