import { Button, Group, moreIcons, Notice, Row, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import type { PasskeyLoginOptions } from '../approvals/approvalViewModel.ts'
import { t } from '../texts/translations.ts'
import { Origin, Sheet } from './approvalScreenParts.tsx'
import { passkeyErrorText } from './passkeyErrorText.ts'

/** Lets the user log in with an existing or a new passkey. The browser prompts for the passkey when the user presses a button. */
export function PasskeyLoginScreen({
  entering,
  doing,
  onYes,
  onNo,
}: {
  readonly entering: PasskeyLoginOptions
  readonly doing: boolean
  readonly onYes: (entered: unknown) => void
  readonly onNo: () => void
}): ReactNode {
  const [busy, setBusy] = useState<'signIn' | 'begin'>()
  const [opened, setOpened] = useState(false)
  const [failed, setFailed] = useState<string>()
  const run = (what: 'signIn' | 'begin'): void => {
    // The window can be closed or blocked, so this screen stays enabled while the window is open.
    const isElsewhere = what === 'begin' && entering.elsewhere
    if (isElsewhere) setOpened(true)
    else setBusy(what)
    setFailed(undefined)
    // Called synchronously, because browsers only prompt for a passkey or open a window in response to a user gesture.
    entering[what]()
      .then(onYes, (error: unknown) => setFailed(passkeyErrorText(error)))
      .finally(() => setBusy(undefined))
  }
  const off = doing || busy !== undefined
  return (
    <Sheet
      title={t('enterTitle')}
      footer={
        <Button wide onClick={onNo} disabled={doing}>
          {t('cancel')}
        </Button>
      }
    >
      {entering.origin !== undefined && <Origin origin={entering.origin} wants="recoverAsks" behind={0} />}
      <Text>{t('enterText')}</Text>
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      <Group name={t('enterTitle')}>
        <Row
          icon={moreIcons.key}
          detail={t('enterHaveText')}
          trailing="chevron"
          disabled={off && busy !== 'signIn'}
          busy={busy === 'signIn'}
          onClick={() => run('signIn')}
        >
          {t('enterHave')}
        </Row>
        <Row
          icon={moreIcons.plus}
          detail={t('enterNewText')}
          trailing={entering.elsewhere ? 'external' : 'chevron'}
          disabled={off && busy !== 'begin'}
          busy={busy === 'begin'}
          onClick={() => run('begin')}
        >
          {t('enterNew')}
        </Row>
      </Group>
      {opened && (
        <div role="status">
          <Text tone="soft">{t('enterElsewhere')}</Text>
        </div>
      )}
    </Sheet>
  )
}
