import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { Button } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { ProgressStatus } from '../ProgressStatus.tsx'
import { translatePairingError } from './translatePairingError.ts'
import { usePairingTranslations } from './usePairingTranslations.ts'

/** Renders a pairing error with a retry button. */
export function PairingError({
  error,
  name,
  logo,
  retry,
}: {
  readonly error: LatchkeyError
  /** The wallet's name. If `undefined`, the message refers to "your wallet". */
  readonly name: string | undefined
  readonly logo: ReactNode
  readonly retry: () => void
}): ReactNode {
  const text = usePairingTranslations()
  return (
    <>
      <ProgressStatus state="failed" logo={logo} {...translatePairingError(text, { wallet: name, error })} />
      <Button kind="primary" wide icon="retry" onClick={retry}>
        {text(error.code === 'pairing/expired' ? 'pairing.renew' : 'common.retry')}
      </Button>
    </>
  )
}
