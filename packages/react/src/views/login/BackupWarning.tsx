import { LinkButton, moreIcons, Notice, Stack } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { useBackupTranslations } from './useBackupTranslations.ts'
import { useLogin } from './useLogin.ts'

/** Renders a warning if the account has a single key, with a link for adding a backup key. */
export function BackupWarning(): ReactNode {
  const text = useBackupTranslations()
  const { login } = useLogin()
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    let unmounted = false
    login?.isSingle().then(
      (now) => {
        if (!unmounted) setIsShown(now)
      },
      () => undefined,
    )
    return () => {
      unmounted = true
    }
  }, [login])
  const page = login?.walletPage()
  if (!isShown) return null
  return (
    <Notice kind="warning" title={text('single.title')}>
      <Stack gap={8} align="start">
        {text('single.body')}
        {page !== undefined && (
          <LinkButton size="small" icon={moreIcons.shield} href={page}>
            {text('single.add')}
          </LinkButton>
        )}
      </Stack>
    </Notice>
  )
}
