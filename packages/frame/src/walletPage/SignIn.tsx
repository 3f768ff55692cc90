import { Button, Group, moreIcons, Notice, Row, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { PublicError } from '../publicError.ts'
import { Origin, Sheet } from '../screens/approvalScreenParts.tsx'
import { passkeyErrorText } from '../screens/passkeyErrorText.ts'
import { t } from '../texts/translations.ts'
import { CodeForm } from './EmailCodeForm.tsx'
import { pageErrorText } from './pageErrorText.ts'
import type { WalletPageController } from './walletPageController.ts'

/** Renders the wallet page's form for logging in by email or passkey. */
export function SignIn({
  controller,
  note,
  onIn,
  caller,
}: {
  readonly controller: WalletPageController
  readonly note: string | undefined
  readonly onIn: () => void
  /** The cross-site page that requested the login, the email address that the user entered there, and the cancel action. */
  readonly caller?:
    | { readonly origin: string; readonly email: string | undefined; readonly onNo: () => void }
    | undefined
}): ReactNode {
  const [passkeys, setPasskeys] = useState(false)
  const [failed, setFailed] = useState<string>()
  useEffect(() => {
    let left = false
    controller.passkeys().then(
      (offered) => {
        if (!left) setPasskeys(offered)
      },
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [controller])
  return (
    <Sheet
      title={t('pageSignIn')}
      footer={
        caller ? (
          <Button wide onClick={caller.onNo}>
            {t('cancel')}
          </Button>
        ) : null
      }
    >
      {note !== undefined && <Notice kind="success">{note}</Notice>}
      {caller ? <Origin origin={caller.origin} wants="recoverAsks" behind={0} /> : <Text>{t('signInText')}</Text>}
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      <CodeForm
        controller={controller}
        again={false}
        onCode={(otp) => controller.signInWith(otp).then(onIn)}
        {...(caller?.email !== undefined && { email: caller.email, atOnce: true })}
      />
      {passkeys && (
        <Group name={t('enterTitle')}>
          <Row
            icon={moreIcons.shield}
            trailing="chevron"
            onClick={() => {
              setFailed(undefined)
              controller
                .loginWithPasskey()
                .then(onIn, (error: unknown) =>
                  setFailed(error instanceof PublicError ? pageErrorText(error) : passkeyErrorText(error)),
                )
            }}
          >
            {t('enterTitle')}
          </Row>
        </Group>
      )}
      {!caller && <Text tone="soft">{t('signInSocial')}</Text>}
    </Sheet>
  )
}
