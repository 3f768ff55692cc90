import { Button, Live, Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { usePairingText } from '../../i18n/usePairingText.ts'
import { useCopy } from '../useCopy.ts'

/** Copies a link when it is pressed, and only then; where the clipboard refuses, shows it to be copied by hand. */
export function CopyLink({
  link,
  label,
  kind,
}: {
  /** `undefined` while there is none. */
  readonly link: string | undefined
  readonly label: string
  readonly kind?: 'primary' | undefined
}): ReactNode {
  const text = usePairingText()
  const { copying, copy } = useCopy()
  const copied = copying === 'copied' && link !== undefined
  return (
    <>
      <Button
        kind={kind}
        wide
        icon={copied ? 'check' : 'copy'}
        disabled={link === undefined}
        onClick={() => link !== undefined && void copy(link)}
      >
        {copied ? text('pairing.copied') : label}
      </Button>
      <Live>{copied ? text('pairing.copied') : ''}</Live>
      {copying === 'failed' && link !== undefined && (
        <Notice kind="warning" title={text('pairing.copyFailed')}>
          <bdi className="code-link" dir="ltr">
            {link}
          </bdi>
        </Notice>
      )}
    </>
  )
}
