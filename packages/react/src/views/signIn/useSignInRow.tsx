import { route } from '@latchkey/core'
import { Notice, Row } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useStore } from '../../hooks/useStore.ts'
import { useSettingsText } from '../../i18n/useSettingsText.ts'

/** Signing in and out from the account's settings: its row, and what went wrong. Nothing where the host wants no sign-in. */
export function useSignInRow(): { readonly row: ReactNode; readonly notice: ReactNode } {
  const latchkey = useLatchkey()
  const text = useSettingsText()
  const status = useStore((state) => state.signIn.status)
  const [leaving, setLeaving] = useState<'busy' | 'failed'>()
  const known = status === 'signed-in' || status === 'signed-out'
  if (!known || (latchkey.options.signIn ?? 'off') === 'off') return { row: null, notice: null }

  const signOut = async (): Promise<void> => {
    setLeaving('busy')
    try {
      await (await latchkey.signIn())?.signOut()
      setLeaving(undefined)
    } catch {
      setLeaving('failed')
    }
  }
  const notice = leaving === 'failed' && <Notice kind="error">{text('settings.signOutFailed')}</Notice>
  if (status === 'signed-out') {
    const { view = 'SIWXSignMessage' } = latchkey.options.signInKeeper ?? {}
    return {
      notice,
      row: (
        <Row
          icon="shield"
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
      <Row icon="shield" detail={text('settings.signedIn')} busy={leaving === 'busy'} onClick={() => void signOut()}>
        {text(leaving === 'busy' ? 'settings.signingOut' : 'settings.signOut')}
      </Row>
    ),
  }
}
