import { Notice } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useTranslations } from '../i18n/useTranslations.ts'
import { viewMessages } from './viewMessages.ts'

/** Returns a function that disconnects, with its progress and an error notice. */
export function useDisconnectAction(): {
  readonly busy: boolean
  /** The error notice if disconnecting failed, otherwise `null`. */
  readonly notice: ReactNode
  disconnect(params?: Parameters<ReturnType<typeof useLatchkey>['disconnect']>[0]): Promise<boolean>
} {
  const latchkey = useLatchkey()
  const text = useTranslations(viewMessages)
  const [status, setStatus] = useState<'idle' | 'busy' | 'failed'>('idle')
  return {
    busy: status === 'busy',
    notice: status === 'failed' ? <Notice kind="error">{text('account.disconnectFailed')}</Notice> : null,
    async disconnect(params) {
      setStatus('busy')
      try {
        await latchkey.disconnect(params)
        setStatus('idle')
        return true
      } catch {
        setStatus('failed')
        return false
      }
    },
  }
}
