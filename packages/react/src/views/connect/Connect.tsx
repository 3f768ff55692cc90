import { Row, Screen, Stack } from '@latchkey/ui'
import { Fragment, type ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { useSlots } from '../../slots.ts'
import { ConsentBox, LegalLine, useConsent } from '../LegalConsent.tsx'
import { SlotGroups } from '../SlotRows.tsx'
import type { ViewProps } from '../viewProps.ts'
import { LazyLoginMethod, OrDivider } from './LazyLoginMethod.tsx'
import { WalletList } from './WalletList.tsx'

/** Renders the available connection methods in the configured order. */
export function Connect({ data }: ViewProps<'Connect'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  const slots = useSlots()
  const { blocked } = useConsent()
  useStore((state) => state.wallets)
  const shownMethods = latchkey.connectMethods().filter((method) => !data?.login || method !== 'wallet')
  return (
    <Screen title={text('connect.title')}>
      <ConsentBox />
      {shownMethods.map((method, index, methods) => (
        <Fragment key={method}>
          {index > 0 && (method === 'wallet') !== (methods[index - 1] === 'wallet') && <OrDivider />}
          {method === 'wallet' ? <Wallets /> : <LazyLoginMethod method={method} />}
        </Fragment>
      ))}
      <SlotGroups groups={slots.connectGroups} disabled={blocked} />
      {slots.disclaimer !== undefined && <Stack align="center">{slots.disclaimer}</Stack>}
      <LegalLine />
    </Screen>
  )
}

function Wallets(): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations()
  const { blocked } = useConsent()
  if (!latchkey.options.features?.collapseWallets) return <WalletList />
  return (
    <Row icon="wallet" trailing="chevron" disabled={blocked} onClick={() => latchkey.modal.push('ConnectWallets')}>
      {text('connect.continue')}
    </Row>
  )
}
