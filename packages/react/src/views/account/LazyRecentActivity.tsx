import type { Network } from '@latchkey/core/adapter'
import { Notice, Skeleton } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useTranslations } from '../../i18n/useTranslations.ts'
import { useLazyModule } from '../useLazyModule.ts'

const load = async () => (await import('./RecentActivity.tsx')).RecentActivity

/** Renders the account's latest activity. Its code is only loaded when it is shown. */
export function LazyRecentActivity({ network }: { readonly network: Network }): ReactNode {
  const text = useTranslations()
  const { value: RecentActivity, failed, retry } = useLazyModule(load)
  if (RecentActivity) return <RecentActivity network={network} />
  if (!failed) return <Skeleton kind="row" count={3} />
  return (
    <Notice kind="warning" action={{ label: text('common.retry'), onClick: retry }}>
      {text('modal.loadFailed')}
    </Notice>
  )
}
