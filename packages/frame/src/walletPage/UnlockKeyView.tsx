import { Button, Notice, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { ApprovalButtons } from '../screens/ApprovalButtons.tsx'
import { Facts, Sheet } from '../screens/approvalScreenParts.tsx'
import { formatTime } from '../screens/formatTime.ts'
import { type MessageKey, t } from '../texts/translations.ts'
import { ForeignNavigationNotice } from './ForeignNavigationNotice.tsx'
import { keyName } from './Home.tsx'
import type { KeyRow } from './listUnlockKeys.ts'
import type { NavigationSource } from './navigationSource.ts'
import type { WalletPageContext } from './pageContext.ts'
import { pageErrorText } from './pageErrorText.ts'

const consequences: Readonly<Record<KeyRow['kind'], MessageKey>> = {
  device: 'removeDevice',
  passkey: 'removePasskey',
  kit: 'removeKit',
  assisted: 'removeKit',
}

/**
 * Displays a key, when it was added and last used, and a button to remove it. A page that tricks the user into repeated clicks
 * cannot remove a key, because the user must reauthenticate and confirm twice. If another page opened this page, keys cannot be
 * removed at all.
 */
export function UnlockKeyView({
  controller,
  opened,
  row,
  last,
  proven,
  arrival,
  onProve,
  onBack,
  onOut,
}: WalletPageContext & {
  readonly row: KeyRow
  readonly last: boolean
  /** Whether the user has reauthenticated to remove this key. */
  readonly proven: boolean
  readonly arrival: NavigationSource
  readonly onProve: () => void
  readonly onBack: (note?: string) => void
  readonly onOut: (note?: string) => void
}): ReactNode {
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const remove = (): void => {
    setBusy(true)
    setFailed(undefined)
    controller
      .remove(opened, row)
      .then(() => (row.isThis ? onOut(t('removedThis')) : onBack(t('removed', { name: keyName(row) }))))
      .catch((error: unknown) => {
        setBusy(false)
        setFailed(pageErrorText(error))
      })
  }
  const { lastUsedAt } = row
  const canRemove = !last && arrival !== 'page'
  return (
    <Sheet
      title={keyName(row)}
      footer={
        canRemove && proven ? (
          <ApprovalButtons yes="removeSure" risk="high" doing={busy} onYes={remove} onNo={() => onBack()} />
        ) : (
          <Button wide onClick={() => onBack()}>
            {t('back')}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          { name: t('keyAdded'), value: formatTime(row.createdAt) },
          lastUsedAt === undefined ? undefined : { name: t('keyLastUsed'), value: formatTime(lastUsedAt) },
        ]}
      />
      {row.state === 'signs-in' && <Notice kind="warning">{t('keySignsInText')}</Notice>}
      {row.state === 'dead' && <Notice kind="warning">{t('keyDeadText')}</Notice>}
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      {last && <Notice kind="info">{t('removeLast')}</Notice>}
      {!last && arrival === 'page' && <ForeignNavigationNotice />}
      {canRemove && (
        <Stack>
          <Text>{t(row.isThis ? 'removeThis' : consequences[row.kind])}</Text>
          {!proven && (
            <Button kind="danger" wide onClick={onProve}>
              {t('removeIt')}
            </Button>
          )}
        </Stack>
      )}
    </Sheet>
  )
}
