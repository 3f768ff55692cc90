import { route } from '@latchkey/core'
import { moreIcons, Notice, Row } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useSignInSettingsTranslations } from './useSignInSettingsTranslations.ts'

/** Returns the settings row for signing in and out, and an error notice. Both are `null` if sign-in is not configured. */
export function useSignInSettingsRow(): { readonly row: ReactNode; readonly notice: ReactNode } {
  const latchkey = useLatchkey()
  const text = useSignInSettingsTranslations()
  const status = useStore((state) => state.signIn.status)
  const [signingOut, setSigningOut] = useState<'busy' | 'failed'>()
  const isKnown = status === 'signed-in' || status === 'signed-out'
  if (!isKnown || (latchkey.options.signIn ?? 'off') === 'off') return { row: null, notice: null }

  const signOut = async (): Promise<void> => {
    setSigningOut('busy')
    try {
      await (await latchkey.signIn())?.signOut()
      setSigningOut(undefined)
    } catch {
      setSigningOut('failed')
    }
  }
  const notice = signingOut === 'failed' && <Notice kind="error">{text('settings.signOutFailed')}</Notice>
  if (status === 'signed-out') {
    const { view = 'SIWXSignMessage' } = latchkey.options.authentication ?? {}
    return {
      notice,
      row: (
        <Row
          icon={moreIcons.shield}
          detail={text('settings.signedOut')}
          trailing="chevron"
          onClick={() => latchkey.modal.open({ view: route(view) })}
        >
          {text('settings.signIn')}
        </Row>
      ),
    }
  }
  return {
    notice,
    row: (
      <Row
        icon={moreIcons.shield}
        detail={text('settings.signedIn')}
        busy={signingOut === 'busy'}
        onClick={() => void signOut()}
      >
        {text(signingOut === 'busy' ? 'settings.signingOut' : 'settings.signOut')}
      </Row>
    ),
  }
}
