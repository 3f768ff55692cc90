import { Group, Notice, Row, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { sentenceFor } from '../refusal.ts'
import { Sheet } from '../screens/parts.tsx'
import { say } from '../screens/words.ts'
import { CodeForm } from './CodeForm.tsx'
import type { Desk } from './desk.ts'

/** Nobody is signed in at this page: by e-mail, or by passkey. */
export function SignIn({
  desk,
  note,
  onIn,
}: {
  readonly desk: Desk
  readonly note: string | undefined
  readonly onIn: () => void
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
    <Sheet title={say('pageSignIn')} footer={null}>
      {note !== undefined && <Notice kind="success">{note}</Notice>}
      <Text>{say('signInText')}</Text>
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      <CodeForm desk={desk} again={false} onCode={(otp) => desk.signInWith(otp).then(onIn)} />
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
      <Text tone="soft">{say('signInSocial')}</Text>
    </Sheet>
  )
}
