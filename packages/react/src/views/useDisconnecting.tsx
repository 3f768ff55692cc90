import { Notice } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useText } from '../i18n/useText.ts'

/** Disconnecting, with its wait and its failure. */
export function useDisconnecting(): {
  readonly busy: boolean
  /** Says that it failed; nothing otherwise. */
  readonly notice: ReactNode
  disconnect(asked?: Parameters<ReturnType<typeof useLatchkey>['disconnect']>[0]): Promise<boolean>
} {
  const latchkey = useLatchkey()
  const text = useText()
  const [status, setStatus] = useState<'idle' | 'busy' | 'failed'>('idle')
  return {
    busy: status === 'busy',
    notice: status === 'failed' ? <Notice kind="error">{text('account.disconnectFailed')}</Notice> : null,
    async disconnect(asked) {
      setStatus('busy')
      try {
        await latchkey.disconnect(asked)
        setStatus('idle')
        return true
      } catch {
        setStatus('failed')
        return false
      }
    },
  }
}
