import type { ReactNode } from 'react'

/**
 * Renders a live region. Changes are announced politely, or assertively if `urgent` is set. Keep it mounted while its content
 * changes.
 */
export function LiveRegion({
  urgent,
  children,
}: {
  readonly urgent?: boolean | undefined
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="hidden" role={urgent ? 'alert' : 'status'}>
      {children}
    </div>
  )
}
