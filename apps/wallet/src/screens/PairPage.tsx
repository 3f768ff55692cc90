import { Button, Notice, SegmentedControl, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import type { WalletState } from '../walletState.ts'
import { RelayNotice } from './RelayNotice.tsx'
import { ScanCamera } from './ScanCamera.tsx'
import { ScanImage } from './ScanImage.tsx'
import type { ScreenContext } from './screenContext.ts'
import { Loading, Page } from './sharedComponents.tsx'

const tabs = [
  { key: 'paste', label: 'Paste' },
  { key: 'camera', label: 'Camera' },
  { key: 'picture', label: 'Picture' },
] as const
type PairTab = (typeof tabs)[number]['key']

/** Connects to a page from a pasted link, a QR code scanned with the camera, or an image of a QR code. */
export function PairPage({ wallet, window, go, state }: ScreenContext & { readonly state: WalletState }): ReactNode {
  const [way, setWay] = useState<PairTab>('paste')
  const [text, setText] = useState('')
  const { pairing } = state
  const back = (): void => {
    wallet.dismiss('pairing')
    go({ name: 'home' })
  }
  const pair = (uri: string): void => void wallet.follow({ to: 'pair', uri })
  if (pairing.at === 'waiting')
    return (
      <Page title="Connect to a page" onBack={back}>
        <RelayNotice state={state} wallet={wallet} />
        <Loading>Waiting for the page’s request…</Loading>
      </Page>
    )
  return (
    <Page title="Connect to a page" onBack={back}>
      <RelayNotice state={state} wallet={wallet} />
      {pairing.at === 'failed' && <Notice kind="error">{pairing.because}</Notice>}
      <SegmentedControl label="How" tabs={tabs} value={way} onChange={setWay}>
        {way === 'paste' && (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              pair(text)
            }}
          >
            <Stack>
              <label className="paste">
                <span>Connection link</span>
                <textarea
                  rows={4}
                  value={text}
                  placeholder="wc:…"
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  onChange={(event) => setText(event.currentTarget.value)}
                />
              </label>
              <Text tone="soft">
                On the page, choose WalletConnect and copy the link. The link is secret: do not give it to any other
                page.
              </Text>
              <Button wide kind="primary" type="submit" disabled={text.trim() === ''}>
                Connect
              </Button>
            </Stack>
          </form>
        )}
        {way === 'camera' && <ScanCamera window={window} onFound={pair} />}
        {way === 'picture' && <ScanImage window={window} onFound={pair} />}
      </SegmentedControl>
    </Page>
  )
}
