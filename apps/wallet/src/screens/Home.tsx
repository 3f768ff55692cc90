import { balanceText } from '@latchkey/protocol/amount'
import { Address, Avatar, Button, Group, moreIcons, Notice, Row, Stack, Text, WalletLogo } from '@latchkey/ui'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { fundTestAccount, readBalance } from '../balances.ts'
import { hostOf } from '../dappName.ts'
import { errorText } from '../errorText.ts'
import type { Ask } from '../networks.ts'
import type { WalletState } from '../walletState.ts'
import { RelayNotice } from './RelayNotice.tsx'
import type { ScreenContext } from './screenContext.ts'
import { formatDuration, Page } from './sharedComponents.tsx'
import { keysSentence } from './Welcome.tsx'

/** The home screen, which shows the balances and the connected pages. */
export function Home({
  wallet,
  world,
  go,
  state,
  ask,
}: ScreenContext & { readonly state: WalletState; readonly ask: Ask }): ReactNode {
  const { account, networks, connections } = state
  const [balances, setBalances] = useState<readonly (bigint | undefined)[]>()
  const [funding, setFunding] = useState<'no' | 'busy' | string>('no')

  const look = useCallback(
    () => Promise.all(networks.map((network) => readBalance(account, network, ask))).then(setBalances),
    [account, networks, ask],
  )
  useEffect(() => {
    setBalances(undefined)
    void look()
  }, [look])

  const isPoor = balances?.some((balance) => balance === 0n) && world.testKeys.length > 0
  const getMoney = async (): Promise<void> => {
    setFunding('busy')
    try {
      // Skip accounts that have funds, because `fundTestAccount` overwrites the balance.
      await fundTestAccount(
        account,
        networks.filter((_, at) => balances?.[at] === 0n),
        ask,
      )
      await look()
      setFunding('no')
    } catch (error) {
      setFunding(errorText(error))
    }
  }

  return (
    <Page
      title="Latchkey Test Wallet"
      footer={
        <Button wide kind="primary" icon={moreIcons.qr} onClick={() => go({ name: 'connect' })}>
          Connect to a page
        </Button>
      }
    >
      <RelayNotice state={state} wallet={wallet} />
      <Group name="Account">
        <Row
          icon={<Avatar address={account.evm.address} />}
          trailing="chevron"
          detail={
            <>
              <Address address={account.evm.address} /> · <Address address={account.solana.address} />
            </>
          }
          onClick={() => go({ name: 'keys' })}
        >
          {account.name}
        </Row>
      </Group>
      <Group label="Money">
        {networks.map(({ id, name, currency }, at) => (
          <Row
            key={id}
            icon={<WalletLogo name={name} shape="round" size={32} />}
            trailing={
              balances === undefined
                ? '…'
                : balances[at] === undefined
                  ? 'not reachable'
                  : `${balanceText(balances[at], currency.decimals)} ${currency.symbol}`
            }
          >
            {name}
          </Row>
        ))}
      </Group>
      {isPoor && (
        <Button size="small" busy={funding === 'busy'} onClick={() => void getMoney()}>
          Get test money
        </Button>
      )}
      {funding !== 'no' && funding !== 'busy' && <Notice kind="error">{funding}</Notice>}
      {connections.length > 0 ? (
        <Group label="Connected pages">
          {connections.map(({ session: { topic, peer, expiry } }) => (
            <Row
              key={topic}
              icon={<WalletLogo name={peer.metadata.name || hostOf(peer.metadata.url)} />}
              trailing="chevron"
              detail={`${peer.metadata.name.slice(0, 60)} · ${formatDuration(expiry * 1000 - Date.now())} left`}
              onClick={() => go({ name: 'connection', topic })}
            >
              {hostOf(peer.metadata.url) || 'No address given'}
            </Row>
          ))}
        </Group>
      ) : (
        <Stack gap={4}>
          <Text kind="row">No page is connected</Text>
          <Text tone="soft">
            On a page, choose WalletConnect. Then scan its code here, or copy its link and paste it.
          </Text>
        </Stack>
      )}
      <Text kind="label" tone="soft">
        {keysSentence}
      </Text>
    </Page>
  )
}
