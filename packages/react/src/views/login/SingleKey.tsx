import { LinkButton, Notice, Stack } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { useKeyText } from '../../i18n/useKeyText.ts'
import { useLogin } from './useLogin.ts'

/** A warning before money comes to an account that one loss would lose, and the way to a second key. */
export function SingleKey(): ReactNode {
  const text = useKeyText()
  const { login } = useLogin()
  const [single, setSingle] = useState(false)
  useEffect(() => {
    let left = false
    login?.isSingle().then(
      (now) => {
        if (!left) setSingle(now)
      },
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [login])
  const page = login?.walletPage()
  if (!single) return null
  return (
    <Notice kind="warning" title={text('single.title')}>
      <Stack gap={8} align="start">
        {text('single.body')}
        {page !== undefined && (
          <LinkButton size="small" icon="shield" href={page}>
            {text('single.add')}
          </LinkButton>
        )}
      </Stack>
    </Notice>
  )
}
