import { Button, Group, moreIcons, Notice, Row, Stack, Text, TextField } from '@latchkey/ui'
import { getProtection } from '@latchkey/vault'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Sheet } from '../screens/approvalScreenParts.tsx'
import { formatTime } from '../screens/formatTime.ts'
import { passkeyErrorText } from '../screens/passkeyErrorText.ts'
import { recoveryCodeErrorText } from '../screens/recoveryCodeErrorText.ts'
import { type MessageKey, t } from '../texts/translations.ts'
import { CodeForm } from './EmailCodeForm.tsx'
import type { WalletPageContext } from './pageContext.ts'
import type { ReauthenticationProof } from './reauthentication.ts'

/** Reauthenticates the user with a passkey, a code sent to the account's email address, or a recovery code. */
export function Reauthenticate({
  controller,
  me,
  opened,
  text,
  heldUntil,
  prove: tryProof,
  onBack,
}: WalletPageContext & {
  /** The message that explains why reauthentication is required. */
  readonly text: MessageKey
  /** The time until which an emailed code is not accepted for this purpose. */
  readonly heldUntil?: number | undefined
  readonly prove: (proof: ReauthenticationProof) => Promise<void>
  readonly onBack: () => void
}): ReactNode {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState<ReauthenticationProof['kind']>()
  const [failed, setFailed] = useState<string>()
  const [slip, setSlip] = useState<string>()
  const { kinds } = getProtection(opened.vault.record)
  const { email } = me.user
  const prove = async (proof: ReauthenticationProof): Promise<void> => {
    setBusy(proof.kind)
    setFailed(undefined)
    setSlip(undefined)
    try {
      await tryProof(proof)
    } finally {
      setBusy(undefined)
    }
  }
  const hasKit = kinds.includes('kit')
  const hasPasskey = kinds.includes('passkey')
  return (
    <Sheet
      title={t('proveTitle')}
      footer={
        <Button wide onClick={onBack}>
          {t('back')}
        </Button>
      }
    >
      <Text>{t(text)}</Text>
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      {heldUntil !== undefined && <Notice kind="info">{t('requestHeldUntil', { time: formatTime(heldUntil) })}</Notice>}
      {!hasPasskey && !hasKit && email === null && <Notice kind="warning">{t('proveNone')}</Notice>}
      {hasPasskey && (
        <Group name={t('proveTitle')}>
          <Row
            icon={moreIcons.shield}
            detail={t('recoverPasskeyText')}
            trailing="chevron"
            busy={busy === 'passkey'}
            disabled={busy !== undefined && busy !== 'passkey'}
            onClick={() =>
              void prove({ kind: 'passkey' }).catch((error: unknown) => setFailed(passkeyErrorText(error)))
            }
          >
            {t('recoverPasskey')}
          </Row>
        </Group>
      )}
      {email !== null && heldUntil === undefined && (
        <CodeForm controller={controller} again email={email} onCode={(otp) => prove({ kind: 'code', otp })} />
      )}
      {hasKit && (
        <form
          autoComplete="off"
          onSubmit={(event: FormEvent) => {
            event.preventDefault()
            void prove({ kind: 'kit', typed }).catch((error: unknown) => setSlip(recoveryCodeErrorText(error)))
          }}
        >
          <Stack>
            <TextField
              label={t('recoverKit')}
              hint={t('recoverKitHint')}
              error={slip}
              value={typed}
              autoCapitalize="characters"
              maxLength={120}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button type="submit" wide busy={busy === 'kit'} disabled={typed.trim() === ''}>
              {t('codeGoOn')}
            </Button>
          </Stack>
        </form>
      )}
    </Sheet>
  )
}
