import { Button, Group, Notice, Row, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { sentenceFor } from '../refusal.ts'
import { Origin, Sheet } from '../screens/parts.tsx'
import { say } from '../screens/words.ts'
import { CodeForm } from './CodeForm.tsx'
import type { Desk } from './desk.ts'

/** Nobody is signed in at this page: by e-mail, or by passkey. */
export function SignIn({
  desk,
  note,
  onIn,
  asker,
}: {
  readonly desk: Desk
  readonly note: string | undefined
  readonly onIn: () => void
  /** The page of another site that wants somebody to sign in, the address that was typed there, and the way back. */
  readonly asker?:
    | { readonly origin: string; readonly email: string | undefined; readonly onNo: () => void }
    | undefined
}): ReactNode {
  const [passkeys, setPasskeys] = useState(false)
  const [failed, setFailed] = useState<string>()
  useEffect(() => {
    let left = false
    desk.passkeys().then(
      (offered) => {
        if (!left) setPasskeys(offered)
      },
      () => undefined,
    )
    return () => {
      left = true
    }
  }, [desk])
  return (
    <Sheet
      title={say('pageSignIn')}
      footer={
        asker ? (
          <Button wide onClick={asker.onNo}>
            {say('cancel')}
          </Button>
        ) : null
      }
    >
      {note !== undefined && <Notice kind="success">{note}</Notice>}
      {asker ? <Origin origin={asker.origin} wants="recoverAsks" behind={0} /> : <Text>{say('signInText')}</Text>}
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      <CodeForm
        desk={desk}
        again={false}
        onCode={(otp) => desk.signInWith(otp).then(onIn)}
        {...(asker?.email !== undefined && { email: asker.email, atOnce: true })}
      />
      {passkeys && (
        <Group name={say('enterTitle')}>
          <Row
            icon="shield"
            trailing="chevron"
            onClick={() => {
              setFailed(undefined)
              desk.enter().then(onIn, (error: unknown) => setFailed(sentenceFor(error)))
            }}
          >
            {say('enterTitle')}
          </Row>
        </Group>
      )}
      {!asker && <Text tone="soft">{say('signInSocial')}</Text>}
    </Sheet>
  )
}
