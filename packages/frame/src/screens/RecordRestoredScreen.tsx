import { walletPath } from '@latchkey/protocol/http/keys'
import { Button, Notice, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { t } from '../texts/translations.ts'
import { Origin, Sheet } from './approvalScreenParts.tsx'

/** Informs the user that someone tampered with the wallet's record and that the record has been restored. */
export function RecordRestoredScreen({
  origin,
  doing,
  onYes,
}: {
  /** The requesting page's origin, or `undefined` on the wallet page. */
  readonly origin: string | undefined
  readonly doing: boolean
  readonly onYes: () => void
}): ReactNode {
  const { origin: here, host } = window.location
  return (
    <Sheet
      title={t('putBackTitle')}
      footer={
        <Button kind="primary" wide busy={doing} onClick={() => onYes()}>
          {t('putBackYes')}
        </Button>
      }
    >
      {origin !== undefined && <Origin origin={origin} wants="recoverAsks" behind={0} />}
      <Notice kind="warning">{t('putBackText')}</Notice>
      <Text>{t('putBackLook')}</Text>
      {origin !== undefined && (
        <a
          className="button"
          data-kind="secondary"
          data-wide
          href={`${here}${walletPath}`}
          target="_blank"
          rel="noopener"
        >
          <bdi dir="ltr">
            {host}
            {walletPath}
          </bdi>
        </a>
      )}
    </Sheet>
  )
}
