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

/** The way to what logs in by e-mail and social accounts. */
export type LoginMethodLoader = ChunkLoader<ComponentType<LoginMethodProps>>

/** A loader for it: only pages with an embedded wallet pay for it. */
export function createLoginMethodLoader(): LoginMethodLoader {
  return createChunkLoader(async () => (await import('../login/LoginMethod.tsx')).LoginMethod)
}

/** The loader of the modal around, so that it is there at once when the visitor comes back to Connect. */
export const LoginMethodLoaderContext: Context<LoginMethodLoader | undefined> = createContext<
  LoginMethodLoader | undefined
>(undefined)

/** One way of logging in, in its place: room for it while it comes, at its final size. */
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

/** Between wallets and logins. */
export function OrDivider(): ReactNode {
  return (
    <Stack align="center">
      <Text tone="soft">{useTranslations()('common.or')}</Text>
    </Stack>
  )
}
