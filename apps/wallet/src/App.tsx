import { Button, Notice, Skeleton, Stack } from '@latchkey/ui'
import { browserStorage } from '@latchkey/walletconnect'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { type DeepLink, takeDeepLink } from './deepLink.ts'
import { type Environment, loadEnvironment } from './environment.ts'
import { errorText } from './errorText.ts'
import { keepKeys, makeSeed, type Source } from './keys.ts'
import { Page } from './screens/sharedComponents.tsx'
import { WalletScreens } from './screens/WalletScreens.tsx'
import { Welcome } from './screens/Welcome.tsx'
import { loadKeys, startWallet, walletStorageName } from './startWallet.ts'
import { acquireTabLock } from './tabLock.ts'
import type { Wallet } from './wallet.ts'

type Now =
  | { readonly at: 'starting' }
  /** The wallet has no keys yet. */
  | { readonly at: 'new'; readonly world: Environment }
  | { readonly at: 'open'; readonly world: Environment; readonly source: Source; readonly wallet: Wallet }
  /** The wallet is active in another tab. If two tabs were active, both would respond to the same request. */
  | { readonly at: 'elsewhere' }
  | { readonly at: 'failed'; readonly because: string }

/** The wallet app. `link` is the deep link that opened it. */
export function App({
  link,
  window,
}: {
  readonly link: DeepLink | undefined
  readonly window: Window & typeof globalThis
}): ReactNode {
  const [now, setNow] = useState<Now>({ at: 'starting' })
  const followed = useRef(link)

  const open = useCallback(
    async (world: Environment, source: Source): Promise<void> => {
      const wallet = await startWallet({ world, source, window })
      setNow({ at: 'open', world, source, wallet })
      const uri = followed.current
      followed.current = undefined
      if (uri) await wallet.follow(uri)
    },
    [window],
  )

  const start = useCallback(async (): Promise<() => void> => {
    setNow({ at: 'starting' })
    const release = await acquireTabLock(window.navigator.locks, () =>
      setNow((before) => {
        if (before.at === 'open') before.wallet.stop()
        return { at: 'elsewhere' }
      }),
    )
    try {
      const world = await loadEnvironment(window.fetch.bind(window))
      const source = await loadKeys()
      if (source) await open(world, source)
      else setNow({ at: 'new', world })
    } catch (error) {
      setNow({ at: 'failed', because: errorText(error) })
    }
    return release
  }, [window, open])

  useEffect(() => {
    const started = start()
    return () => void started.then((release) => release())
  }, [start])

  const wallet = now.at === 'open' ? now.wallet : undefined
  useEffect(() => {
    const linked = (): void => {
      const next = takeDeepLink(window)
      if (!next) return
      if (wallet) void wallet.follow(next)
      else followed.current = next
    }
    const seen = (): void => wallet?.wake()
    window.addEventListener('hashchange', linked)
    window.addEventListener('online', seen)
    window.document.addEventListener('visibilitychange', seen)
    return () => {
      window.removeEventListener('hashchange', linked)
      window.removeEventListener('online', seen)
      window.document.removeEventListener('visibilitychange', seen)
    }
  }, [window, wallet])

  const choose = async (world: Environment, source: Source): Promise<void> => {
    await keepKeys(browserStorage(walletStorageName), source)
    await open(world, source).catch((error: unknown) => setNow({ at: 'failed', because: errorText(error) }))
  }

  switch (now.at) {
    case 'starting':
      return (
        <Page title="Latchkey Test Wallet">
          <Stack>
            <Skeleton kind="row" count={4} />
          </Stack>
        </Page>
      )
    case 'new':
      return (
        <Welcome
          isAwaited={followed.current !== undefined}
          hasTestKeys={now.world.testKeys.length > 0}
          onMake={() => choose(now.world, makeSeed(window.crypto))}
          onTest={() => choose(now.world, { from: 'test' })}
        />
      )
    case 'elsewhere':
      return (
        <Page title="Open in another tab">
          <Notice>
            This wallet works in only one tab at a time and is now open in another tab. You can close this one.
          </Notice>
          <Button wide onClick={() => void start()}>
            Use it here
          </Button>
        </Page>
      )
    case 'failed':
      return (
        <Page title="Latchkey Test Wallet">
          <Notice
            kind="error"
            title="The wallet could not start"
            action={{ label: 'Try again', onClick: () => void start() }}
          >
            {now.because}
          </Notice>
        </Page>
      )
    case 'open':
      return (
        <WalletScreens
          wallet={now.wallet}
          world={now.world}
          source={now.source}
          window={window}
          onSource={async (source) => {
            for (const { session } of now.wallet.get().connections) await now.wallet.disconnect(session.topic)
            now.wallet.stop()
            await choose(now.world, source)
          }}
        />
      )
  }
}
