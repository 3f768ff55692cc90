import { Address, Avatar, Button, Group, moreIcons, Notice, Row, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import type { Connection } from '../connections.ts'
import { describeMethods } from '../supportedMethods.ts'
import type { WalletState } from '../walletState.ts'
import type { ScreenContext } from './screenContext.ts'
import { BulletList, FactList, formatDuration, Loading, Page, Requester } from './sharedComponents.tsx'

/** Renders the details of a connection: the shared account, the permissions, and a disconnect button. */
export function ConnectionPage({
  wallet,
  go,
  state,
  connection,
}: ScreenContext & { readonly state: WalletState; readonly connection: Connection }): ReactNode {
  const { session, account, chain, confirming } = connection
  const { topic, peer, expiry, namespaces } = session
  const [leaving, setLeaving] = useState(false)
  const methods = Object.values(namespaces).flatMap((namespace) => namespace.methods)
  // A page has no active network on Solana, where each request specifies its own network.
  const networks = state.networks.filter(({ id }) => id.startsWith('eip155:') && namespaces.eip155)
  return (
    <Page
      title="Connected page"
      onBack={() => go({ name: 'home' })}
      footer={
        <Button
          wide
          kind="danger"
          icon={moreIcons.disconnect}
          busy={leaving}
          onClick={() => {
            setLeaving(true)
            void wallet.disconnect(topic).finally(() => go({ name: 'home' }))
          }}
        >
          Disconnect
        </Button>
      }
    >
      <Requester from={peer.metadata} wants="is connected" />
      {confirming && <Loading>Waiting for the page…</Loading>}
      {!account && (
        <Notice kind="warning">
          The keys of the connected account are no longer in this wallet. Disconnect the page.
        </Notice>
      )}
      <Group label="The page sees">
        {state.accounts.map((item) => (
          <Row
            key={item.evm.address}
            icon={<Avatar address={item.evm.address} />}
            current={item === account}
            trailing={item === account ? 'check' : undefined}
            detail={<Address address={item.evm.address} />}
            disabled={confirming}
            onClick={() => {
              if (item !== account) void wallet.showAccount(topic, item)
            }}
          >
            {item.name}
          </Row>
        ))}
      </Group>
      {networks.length > 0 && (
        <Group label="Network">
          {networks.map((network) => (
            <Row
              key={network.id}
              icon={<WalletLogo name={network.name} shape="round" size={32} />}
              current={network.id === chain}
              trailing={network.id === chain ? 'check' : undefined}
              disabled={confirming}
              onClick={() => {
                if (network.id !== chain) void wallet.moveTo(topic, network)
              }}
            >
              {network.name}
            </Row>
          ))}
        </Group>
      )}
      <BulletList label="The page can" points={describeMethods(methods)} />
      <FactList facts={[{ name: 'Expires in', value: formatDuration(expiry * 1000 - Date.now()) }]} />
      <Button wide disabled={confirming} onClick={() => void wallet.extend(topic)}>
        Extend by seven days
      </Button>
    </Page>
  )
}
