import { Button, Skeleton, Stack, Text } from '@latchkey/ui'
import {
  type ComponentType,
  type Context,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { type ChunkLoader, createChunkLoader } from '../../chunkLoader.ts'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useTranslations } from '../../i18n/useTranslations.ts'
import type { LoginMethodProps } from '../login/LoginMethod.tsx'

/** A loader for the component that renders email and social login. */
export type LoginMethodLoader = ChunkLoader<ComponentType<LoginMethodProps>>

/** Creates a loader for `LoginMethod`. Only pages with an embedded wallet load it. */
export function createLoginMethodLoader(): LoginMethodLoader {
  return createChunkLoader(async () => (await import('../login/LoginMethod.tsx')).LoginMethod)
}

/**
 * The context that provides the modal's `LoginMethod` loader, so that `LoginMethod` is loaded only once while the modal is open.
 */
export const LoginMethodLoaderContext: Context<LoginMethodLoader | undefined> = createContext<
  LoginMethodLoader | undefined
>(undefined)

/** Renders a login method. While its chunk loads, a placeholder of the same size is shown. */
export function LazyLoginMethod({ method }: LoginMethodProps): ReactNode {
  const { options } = useLatchkey()
  const text = useTranslations()
  const [own] = useState(createLoginMethodLoader)
  const loader = useContext(LoginMethodLoaderContext) ?? own
  const Method = useSyncExternalStore(loader.subscribe, loader.get)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!Method && !failed) loader.load().catch(() => setFailed(true))
  }, [Method, failed, loader])
  if (Method) return <Method method={method} />
  if (!failed)
    return (
      <>
        <Skeleton kind="row" />
        {method === 'email' && options.features?.passkey && <Skeleton kind="row" />}
      </>
    )
  return (
    <Button wide icon="retry" onClick={() => setFailed(false)}>
      {text('common.retry')}
    </Button>
  )
}

/** Renders the divider between wallets and login methods. */
export function OrDivider(): ReactNode {
  return (
    <Stack align="center">
      <Text tone="soft">{useTranslations()('common.or')}</Text>
    </Stack>
  )
}
