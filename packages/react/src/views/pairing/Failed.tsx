import type { LatchkeyError } from '@latchkey/protocol/errors'
import { Button } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { usePairingText } from '../../i18n/usePairingText.ts'
import { Waiting } from '../Waiting.tsx'
import { pairingSays } from './pairingSays.ts'

/** What went wrong with a pairing, and the way on. */
export function Failed({
  error,
  name,
  mark,
  again,
}: {
  readonly error: LatchkeyError
  /** The wallet's; without one it is "your wallet". */
  readonly name: string | undefined
  readonly mark: ReactNode
  readonly again: () => void
}): ReactNode {
  const text = usePairingText()
  return (
    <>
      <Waiting state="failed" mark={mark} {...pairingSays(text, { wallet: name, error })} />
      <Button kind="primary" wide icon="retry" onClick={again}>
        {text(error.code === 'pairing/expired' ? 'pairing.renew' : 'common.retry')}
      </Button>
    </>
  )
}
