import { Group, Row, Screen, Text, WalletLogo } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { namespaceName } from '../namespaceName.ts'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import { connectingMessages } from './connectingMessages.ts'

const messages = { ...viewMessages, ...connectingMessages } as const

/** Lets the user choose a namespace for a wallet that supports more than one. */
export function ConnectingMultiChain({ data }: ViewProps<'ConnectingMultiChain'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(messages)
  useStore((state) => state.wallets)
  const wallet = latchkey.shown().find(({ name }) => name === data.name)
  return (
    <Screen title={text('multiChain.title')} align="center">
      <WalletLogo name={data.name} src={wallet?.icon} size={64} />
      <Text tone="soft">
        {wallet
          ? text('multiChain.body', { wallet: data.name })
          : text('connecting.missing.title', { wallet: data.name })}
      </Text>
      <Group name={text('multiChain.title')}>
        {wallet?.members.map(({ id, namespace }) => (
          <Row
            key={namespace}
            icon={<WalletLogo name={namespaceName(namespace)} shape="round" />}
            trailing="chevron"
            onClick={() => latchkey.modal.push('ConnectingExternal', { connectorId: id, namespace })}
          >
            {namespaceName(namespace)}
          </Row>
        ))}
      </Group>
    </Screen>
  )
}
