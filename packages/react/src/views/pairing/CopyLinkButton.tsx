import { Button, LiveRegion, moreIcons, Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useCopyToClipboard } from '../useCopyToClipboard.ts'
import { usePairingTranslations } from './usePairingTranslations.ts'

/** Renders a button that copies a link. If the link cannot be copied, it is shown so that the user can copy it manually. */
export function CopyLinkButton({
  link,
  label,
  kind,
}: {
  /** The link, or `undefined` if it is not available yet. */
  readonly link: string | undefined
  readonly label: string
  readonly kind?: 'primary' | undefined
}): ReactNode {
  const text = usePairingTranslations()
  const { status: copyStatus, copy } = useCopyToClipboard()
  const copied = copyStatus === 'copied' && link !== undefined
  return (
    <>
      <Button
        kind={kind}
        wide
        icon={copied ? 'check' : moreIcons.copy}
        disabled={link === undefined}
        onClick={() => link !== undefined && void copy(link)}
      >
        {copied ? text('pairing.copied') : label}
      </Button>
      <LiveRegion>{copied ? text('pairing.copied') : ''}</LiveRegion>
      {copyStatus === 'failed' && link !== undefined && (
        <Notice kind="warning" title={text('pairing.copyFailed')}>
          <bdi className="code-link" dir="ltr">
            {link}
          </bdi>
        </Notice>
      )}
    </>
  )
}
