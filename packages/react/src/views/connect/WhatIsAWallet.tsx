import { Button, moreIcons, Screen } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { InfoList } from '../InfoList.tsx'
import { useInfoTranslations } from '../useInfoTranslations.ts'
import type { ViewProps } from '../viewProps.ts'

/** Explains what a wallet is for and how to use it safely. */
export function WhatIsAWallet(_: ViewProps<'WhatIsAWallet'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useInfoTranslations()
  return (
    <Screen
      title={text('whatIsAWallet.title')}
      footer={
        <Button
          kind="primary"
          wide
          onClick={() => {
            latchkey.track({ event: 'CLICK_GET_WALLET' })
            latchkey.modal.push('GetWallet')
          }}
        >
          {text('connect.getWallet')}
        </Button>
      }
    >
      <InfoList
        items={[
          { icon: moreIcons.key, title: text('whatIsAWallet.login.title'), body: text('whatIsAWallet.login.body') },
          { icon: 'wallet', title: text('whatIsAWallet.assets.title'), body: text('whatIsAWallet.assets.body') },
          { icon: moreIcons.shield, title: text('whatIsAWallet.keys.title'), body: text('whatIsAWallet.keys.body') },
        ]}
      />
    </Screen>
  )
}
