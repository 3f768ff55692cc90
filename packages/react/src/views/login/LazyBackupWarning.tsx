import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useWalletInfo } from '../../hooks/useWalletInfo.ts'

/** Renders the single-key warning, which is only loaded if the embedded wallet is connected. */
export function LazyBackupWarning(): ReactNode {
  const isEmbedded = useWalletInfo()?.type === 'AUTH'
  const [Warning, setWarning] = useState<ComponentType>()
  useEffect(() => {
    if (isEmbedded) import('./BackupWarning.tsx').then(({ BackupWarning }) => setWarning(() => BackupWarning), Boolean)
  }, [isEmbedded])
  return isEmbedded && Warning && <Warning />
}
