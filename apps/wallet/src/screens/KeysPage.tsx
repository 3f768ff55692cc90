import { Address, Avatar, Button, Group, Notice, Row, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { makeSeed, type Source } from '../keys.ts'
import type { WalletState } from '../walletState.ts'
import type { ScreenContext } from './screenContext.ts'
import { FactList, Page } from './sharedComponents.tsx'
import { keysSentence } from './Welcome.tsx'

/** The settings screen for the source of the keys and the active account. */
export function KeysPage({
  wallet,
  world,
  window,
  go,
  state,
  source,
  onSource,
}: ScreenContext & {
  readonly state: WalletState
  readonly source: Source
  readonly onSource: (source: Source) => Promise<void>
}): ReactNode {
  const { accounts, account } = state
  const [requested, setRequested] = useState<Source['from']>()
  const [busy, setBusy] = useState(false)
  const other = source.from === 'seed' ? 'test' : 'seed'
  const change = async (from: Source['from']): Promise<void> => {
    setBusy(true)
    await onSource(from === 'seed' ? makeSeed(window.crypto) : { from: 'test' }).finally(() => setBusy(false))
  }
  return (
    <Page title="Accounts and keys" onBack={() => go({ name: 'home' })}>
      <Group label="New connections use">
        {accounts.map((item) => (
          <Row
            key={item.evm.address}
            icon={<Avatar address={item.evm.address} />}
            current={item === account}
            trailing={item === account ? 'check' : undefined}
            detail={<Address address={item.evm.address} />}
            onClick={() => wallet.choose(item)}
          >
            {item.name}
          </Row>
        ))}
      </Group>
      <FactList
        facts={[
          { name: 'On Ethereum networks', value: <Address address={account.evm.address} whole />, long: true },
          { name: 'On Solana', value: <Address address={account.solana.address} whole />, long: true },
        ]}
      />
      <Notice kind="warning">{keysSentence}</Notice>
      {requested === undefined ? (
        <>
          {world.testKeys.length > 0 && (
            <Button wide onClick={() => setRequested(other)}>
              {other === 'test' ? 'Use the funded test accounts' : 'Create new keys'}
            </Button>
          )}
          {source.from === 'seed' && (
            <Button wide kind="danger" onClick={() => setRequested('seed')}>
              Replace the keys
            </Button>
          )}
        </>
      ) : (
        <>
          <Text>
            {source.from === 'seed'
              ? 'The keys created here are deleted, and you lose access to everything in their accounts. All pages are disconnected.'
              : 'All pages are disconnected.'}
          </Text>
          <Button wide kind="danger" busy={busy} onClick={() => void change(requested)}>
            {requested === 'test' ? 'Use the test accounts' : 'Create new keys'}
          </Button>
          <Button wide onClick={() => setRequested(undefined)}>
            Cancel
          </Button>
        </>
      )}
    </Page>
  )
}
