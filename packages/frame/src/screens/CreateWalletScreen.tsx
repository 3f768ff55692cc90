import { Button, Group, moreIcons, Notice, Row, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import type { CreateWalletOptions, FirstRecoveryKit } from '../approvals/approvalViewModel.ts'
import { t } from '../texts/translations.ts'
import { Origin, Sheet } from './approvalScreenParts.tsx'
import { NewRecoveryKitScreen } from './NewRecoveryKitScreen.tsx'
import { passkeyErrorText } from './passkeyErrorText.ts'

/**
 * Shown on the first login in a browser without storage. The first key is a passkey or a recovery kit, which is then required
 * each time the wallet is unlocked.
 */
export function CreateWalletScreen({
  starting,
  doing,
  onYes,
  onNo,
}: {
  readonly starting: CreateWalletOptions
  readonly doing: boolean
  readonly onYes: (vault: unknown) => void
  readonly onNo: () => void
}): ReactNode {
  const [kit, setKit] = useState<FirstRecoveryKit>()
  const [made, setMade] = useState<unknown>()
  const [busy, setBusy] = useState<'kit' | 'passkey'>()
  const [failed, setFailed] = useState<string>()
  const { startWithPasskey } = starting
  if (kit)
    return (
      <NewRecoveryKitScreen
        kit={{
          ...kit,
          async keep() {
            const { vault, file } = await kit.start()
            setMade(vault)
            return file
          },
        }}
        onBack={() => setKit(undefined)}
        onDone={() => onYes(made)}
      />
    )
  const run = (what: 'kit' | 'passkey', act: () => Promise<void>): void => {
    setBusy(what)
    setFailed(undefined)
    act()
      .catch((error: unknown) => setFailed(passkeyErrorText(error)))
      .finally(() => setBusy(undefined))
  }
  const off = doing || busy !== undefined
  return (
    <Sheet
      title={t('startTitle')}
      footer={
        <Button wide onClick={onNo} disabled={doing}>
          {t('cancel')}
        </Button>
      }
    >
      {starting.origin !== undefined && <Origin origin={starting.origin} wants="recoverAsks" behind={0} />}
      <Notice kind="warning">{t('startNoStorage')}</Notice>
      <Text>{t('startText')}</Text>
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      <Group name={t('startTitle')}>
        {startWithPasskey && (
          <Row
            icon={moreIcons.shield}
            detail={t('protectPasskeyText')}
            trailing="chevron"
            disabled={off && busy !== 'passkey'}
            busy={busy === 'passkey'}
            onClick={() => run('passkey', async () => onYes(await startWithPasskey()))}
          >
            {t('protectPasskey')}
          </Row>
        )}
        <Row
          icon={moreIcons.key}
          detail={t('protectKitText')}
          trailing="chevron"
          disabled={off}
          onClick={() => run('kit', async () => setKit(await starting.makeKit()))}
        >
          {t('protectKit')}
        </Row>
      </Group>
    </Sheet>
  )
}
