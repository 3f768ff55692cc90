import { type ConnectorInfo, isSame, type State } from '@latchkey/core'
import { type AccountId, addressOf, type Namespace, namespaces } from '@latchkey/protocol/caip'
import { Button, Group, IconButton, moreIcons, Row, Screen, Stack, shortAddress, Text, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { useConsent } from '../LegalConsent.tsx'
import { namespaceName } from '../namespaceName.ts'
import { useWalletImage } from '../useDirectory.ts'
import { useDisconnectAction } from '../useDisconnectAction.tsx'
import { viewMessages } from '../viewMessages.ts'
import type { ViewProps } from '../viewProps.ts'
import { profileMessages } from './profileMessages.ts'

const messages = { ...viewMessages, ...profileMessages } as const

/** A connected wallet. */
interface Live {
  readonly namespace: Namespace
  readonly connectorId: string
  readonly accounts: readonly AccountId[]
  readonly active: boolean
}

/** Renders the connected wallets, with actions to switch between, disconnect and add wallets. */
export function ProfileWallets(_: ViewProps<'ProfileWallets'>): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(messages)
  const connections = useStore((state) => state.connections)
  const recent = useStore((state) => state.wallets.recent)
  const namespace = useStore((state) => state.networks.namespace)
  const leaving = useDisconnectAction()
  const { blocked } = useConsent()

  const live = liveOf(connections, namespace)
  const ids = new Set(live.map(({ connectorId }) => connectorId))
  const recentConnectors = latchkey
    .shown()
    .filter(
      (connector) =>
        !connector.members.some(({ id }) => ids.has(id)) && recent.some((wallet) => isSame(connector, wallet)),
    )
  const several = new Set(live.map((connection) => connection.namespace)).size > 1
  return (
    <Screen
      title={text('wallets.title')}
      footer={
        <Button kind="primary" wide icon={moreIcons.plus} onClick={() => latchkey.modal.push('Connect')}>
          {text(live.length === 0 ? 'connect.title' : 'wallets.add')}
        </Button>
      }
    >
      {leaving.notice}
      {live.length === 0 && (
        <Stack align="center" gap={4}>
          <Text kind="row">{text('account.none.title')}</Text>
          <Text tone="soft">{text('account.none.body')}</Text>
        </Stack>
      )}
      {live.length > 0 && (
        <Group
          label={text('wallets.connected')}
          aside={
            live.length > 1 ? (
              <Button kind="quiet" size="small" busy={leaving.busy} onClick={() => void leaving.disconnect()}>
                {text('wallets.disconnectAll')}
              </Button>
            ) : undefined
          }
        >
          {live.map((connection) => (
            <LiveRow key={`${connection.namespace} ${connection.connectorId}`} live={connection} showFamily={several} />
          ))}
        </Group>
      )}
      {recentConnectors.length > 0 && (
        <Group label={text('wallets.recent')}>
          {recentConnectors.map((connector) => (
            <Row
              key={connector.id}
              icon={<WalletLogo name={connector.name} src={connector.icon} />}
              trailing="chevron"
              onClick={() => (blocked ? latchkey.modal.push('Connect') : latchkey.pickWallet(connector))}
            >
              {connector.name}
            </Row>
          ))}
        </Group>
      )}
    </Screen>
  )
}

function LiveRow({ live, showFamily }: { readonly live: Live; readonly showFamily: boolean }): ReactNode {
  const latchkey = useLatchkey()
  const text = useTranslations(messages)
  const info = useStore((state) => connectorOf(state, live))
  const image = useWalletImage(info?.icon === undefined && info?.imageId ? { image_id: info.imageId } : undefined)
  const [busy, setBusy] = useState(false)
  const name = info?.name ?? live.connectorId
  const [account] = live.accounts
  const { namespace, connectorId } = live
  const leave = async (): Promise<void> => {
    setBusy(true)
    try {
      await latchkey.disconnect({ namespace, connectorId })
      latchkey.toast('success', text('wallets.gone', { wallet: name }))
    } catch {
      latchkey.toast('error', text('account.disconnectFailed'))
      setBusy(false)
    }
  }
  return (
    <Row
      icon={<WalletLogo name={name} src={info?.icon ?? image} />}
      detail={
        <>
          {account && <bdi dir="ltr">{shortAddress(addressOf(account))}</bdi>}
          {showFamily && (
            <>
              <br />
              {namespaceName(namespace)}
            </>
          )}
        </>
      }
      tag={live.active ? { text: text('wallets.active'), tone: 'success' } : undefined}
      trailing={
        <>
          {!live.active && (
            <IconButton
              icon={moreIcons.swap}
              label={text('wallets.switchTo', { wallet: name })}
              onClick={() => {
                latchkey.activate({ namespace, connectorId })
                latchkey.toast('success', text('wallets.switched', { wallet: name }))
              }}
            />
          )}
          <IconButton
            icon={moreIcons.disconnect}
            label={text('wallets.disconnect', { wallet: name })}
            busy={busy}
            onClick={() => void leave()}
          />
        </>
      }
    >
      {name}
    </Row>
  )
}

/** Returns the active connection, followed by the active connections in other namespaces and then by all other connections. */
function liveOf({ byNamespace, others }: State['connections'], namespace: Namespace | undefined): readonly Live[] {
  const own = namespaces.flatMap((other): readonly Live[] => {
    const now = byNamespace[other]
    if (now?.status !== 'connected') return []
    return [{ namespace: other, connectorId: now.connectorId, accounts: now.accounts, active: other === namespace }]
  })
  const rest = others
    .filter(
      (connection) =>
        !own.some(
          ({ namespace: where, connectorId }) =>
            where === connection.namespace && connectorId === connection.connectorId,
        ),
    )
    .map((connection): Live => ({ ...connection, active: false }))
  return [...own, ...rest].sort((a, b) => Number(b.active) - Number(a.active))
}

function connectorOf(state: State, { connectorId, namespace }: Live): ConnectorInfo | undefined {
  return state.wallets.connectors.find(
    (connection) => connection.id === connectorId && connection.namespace === namespace,
  )
}
