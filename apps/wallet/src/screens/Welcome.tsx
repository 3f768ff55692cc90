import { Button, moreIcons, Notice, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { Page } from './sharedComponents.tsx'

/** The warning that is shown when keys are created or displayed. */
export const keysSentence =
  'The keys are stored unencrypted in this browser. This wallet is for development: never send it anything of value.'

/** The first screen, on which the user selects the source of the keys. */
export function Welcome({
  isAwaited,
  hasTestKeys,
  onMake,
  onTest,
}: {
  readonly isAwaited: boolean
  readonly hasTestKeys: boolean
  readonly onMake: () => Promise<void>
  readonly onTest: () => Promise<void>
}): ReactNode {
  const [busy, setBusy] = useState<'make' | 'test'>()
  const choose = (which: 'make' | 'test', act: () => Promise<void>) => () => {
    if (busy) return
    setBusy(which)
    void act().finally(() => setBusy(undefined))
  }
  return (
    <Page
      title="Latchkey Test Wallet"
      footer={
        <Stack gap={8}>
          <Button wide kind="primary" icon={moreIcons.key} busy={busy === 'make'} onClick={choose('make', onMake)}>
            Create new keys
          </Button>
          {hasTestKeys && (
            <Button wide busy={busy === 'test'} onClick={choose('test', onTest)}>
              Use the funded test accounts
            </Button>
          )}
        </Stack>
      }
    >
      {isAwaited && <Notice>A page is waiting to connect. Choose your keys first.</Notice>}
      <Text>
        A wallet for testing pages that connect by code or link. It has accounts on Ethereum networks and on Solana.
      </Text>
      <Notice kind="warning">{keysSentence}</Notice>
      {hasTestKeys && (
        <Text tone="soft">
          The test accounts have money on this machine’s chains. Their keys are public: do not use them for anything
          else.
        </Text>
      )}
    </Page>
  )
}
