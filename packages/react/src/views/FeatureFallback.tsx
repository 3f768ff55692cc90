import { Notice, Skeleton } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useTranslations } from '../i18n/useTranslations.ts'
import type { FeatureAccess } from './useFeature.ts'

/** Renders what is shown while a feature is loading or if it could not be loaded. Nothing if it is ready. */
export function FeatureFallback({ access }: { readonly access: FeatureAccess<unknown, unknown> }): ReactNode {
  const text = useTranslations()
  if (access.status === 'loading') return <Skeleton kind="row" count={3} />
  if (access.status === 'ready') return null
  return (
    <Notice kind="warning" action={{ label: text('common.retry'), onClick: access.retry }}>
      {text('modal.loadFailed')}
    </Notice>
  )
}
