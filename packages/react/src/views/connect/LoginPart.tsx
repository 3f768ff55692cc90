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
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useText } from '../../i18n/useText.ts'
import { createLoader, type Loader } from '../../loader.ts'
import type { LoginMethodProps } from '../login/LoginMethods.tsx'

/** The way to what logs in by e-mail and social accounts. */
export type LoginLoader = Loader<ComponentType<LoginMethodProps>>

/** A loader for it: only pages with an embedded wallet pay for it. */
export function createLoginLoader(): LoginLoader {
  return createLoader(async () => (await import('../login/LoginMethods.tsx')).LoginMethod)
}

/** The loader of the modal around, so that it is there at once when the visitor comes back to Connect. */
export const LoginLoaderContext: Context<LoginLoader | undefined> = createContext<LoginLoader | undefined>(undefined)

/** One way of logging in, in its place: room for it while it comes, at its final size. */
export function LoginPart({ method }: LoginMethodProps): ReactNode {
  const { options } = useLatchkey()
  const text = useText()
  const [own] = useState(createLoginLoader)
  const loader = useContext(LoginLoaderContext) ?? own
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
export function Or(): ReactNode {
  return (
    <Stack align="center">
      <Text tone="soft">{useText()('common.or')}</Text>
    </Stack>
  )
}
