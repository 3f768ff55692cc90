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

/** The loader of the email and social login component. */
export type LoginMethodLoader = ChunkLoader<ComponentType<LoginMethodProps>>

/** Creates a loader for `LoginMethod`. Only pages with an embedded wallet load it. */
export function createLoginMethodLoader(): LoginMethodLoader {
  return createChunkLoader(async () => (await import('../login/LoginMethod.tsx')).LoginMethod)
}

/** The context of the modal's loader, so that the component is still loaded when the user returns to Connect. */
export const LoginMethodLoaderContext: Context<LoginMethodLoader | undefined> = createContext<
  LoginMethodLoader | undefined
>(undefined)

/** A login method, with a placeholder of its final size while its chunk loads. */
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

/** The divider between wallets and logins. */
export function OrDivider(): ReactNode {
  return (
    <Stack align="center">
      <Text tone="soft">{useTranslations()('common.or')}</Text>
    </Stack>
  )
}
