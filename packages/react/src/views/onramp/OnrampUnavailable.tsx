import { moreIcons, Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import type { OnrampAccess } from './useOnramp.ts'
import { useOnrampTranslations } from './useOnrampTranslations.ts'

/** Renders why buying is not available, and what the user can do about it. */
export function OnrampUnavailable({ state, isNone, retry }: OnrampAccess): ReactNode {
  const latchkey = useLatchkey()
  const text = useOnrampTranslations()
  const isElsewhere = !isNone && state?.status !== 'none' && state?.status !== 'failed'
  return isElsewhere ? (
    <Notice
      kind="warning"
      action={{
        label: text('onramp.network'),
        icon: moreIcons.network,
        onClick: () => latchkey.modal.push('Networks'),
      }}
    >
      {text('onramp.unsupported')}
    </Notice>
  ) : (
    <Notice kind="warning" action={{ label: text('common.retry'), onClick: retry }}>
      {text(state?.status === 'failed' ? 'onramp.failed' : 'onramp.none')}
    </Notice>
  )
}
