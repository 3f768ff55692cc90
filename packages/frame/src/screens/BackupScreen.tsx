import { Button, Group, moreIcons, Notice, Row, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import type { BackupOptions, RecoveryKit } from '../approvals/approvalViewModel.ts'
import { t } from '../texts/translations.ts'
import { Sheet } from './approvalScreenParts.tsx'
import { NewRecoveryKitScreen } from './NewRecoveryKitScreen.tsx'
import { passkeyErrorText } from './passkeyErrorText.ts'

/** Adds a recovery kit or a passkey to a wallet that has only one key. */
export function BackupScreen({
  protecting,
  onDone,
}: {
  readonly protecting: BackupOptions
  readonly onDone: () => void
}): ReactNode {
  const [kit, setKit] = useState<RecoveryKit>()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const [done, setDone] = useState(false)
  const [opened, setOpened] = useState(false)
  if (kit) return <NewRecoveryKitScreen kit={kit} onDone={onDone} onBack={() => setKit(undefined)} />

  const run = (act: () => Promise<void>, elsewhere = false): void => {
    // The window can be closed or blocked, so this screen stays enabled while the window is open.
    if (elsewhere) setOpened(true)
    else setBusy(true)
    setFailed(undefined)
    act()
      .catch((error: unknown) => setFailed(passkeyErrorText(error)))
      .finally(() => setBusy(false))
  }
  const { addPasskey } = protecting
  return (
    <Sheet
      title={t('protectTitle')}
      footer={
        <Button wide kind={done ? 'primary' : 'secondary'} onClick={onDone} disabled={busy}>
          {t(done ? 'done' : 'back')}
        </Button>
      }
    >
      <Text>{t('protectText')}</Text>
      {failed !== undefined && (
        <Notice kind="error" title={t('protectFailed')}>
          {failed}
        </Notice>
      )}
      {opened && !done && (
        <div role="status">
          <Text tone="soft">{t('enterElsewhere')}</Text>
        </div>
      )}
      {done && <Notice kind="success">{t('kitDone')}</Notice>}
      {!done && (
        <Group name={t('protectTitle')}>
          <Row
            icon={moreIcons.key}
            detail={t('protectKitText')}
            trailing="chevron"
            disabled={busy}
            onClick={() => run(async () => setKit(await protecting.makeKit()))}
          >
            {t('protectKit')}
          </Row>
          {addPasskey && (
            <Row
              icon={moreIcons.shield}
              detail={t('protectPasskeyText')}
              trailing="chevron"
              busy={busy}
              onClick={() =>
                run(async () => {
                  await addPasskey()
                  setDone(true)
                }, protecting.elsewhere)
              }
            >
              {t('protectPasskey')}
            </Row>
          )}
        </Group>
      )}
    </Sheet>
  )
}
