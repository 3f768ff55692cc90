import { Button, Group, Notice, Row, Stack, Text, TextField } from '@latchkey/ui'
import { type FormEvent, type ReactNode, useState } from 'react'
import { getProtection } from '../keys/index.ts'
import { Sheet } from '../screens/parts.tsx'
import { passkeyWords } from '../screens/passkeyWords.ts'
import { slipOf } from '../screens/slipOf.ts'
import { timeOf } from '../screens/times.ts'
import { say, type Word } from '../screens/words.ts'
import { CodeForm } from './CodeForm.tsx'
import type { Proof } from './desk.ts'
import type { Inside } from './pageContext.ts'

/** Who is here is asked anew: by passkey, by a code to the account's address, or by the recovery code. */
export function Prove({
  desk,
  me,
  opened,
  text,
  heldUntil,
  prove: tryProof,
  onBack,
}: Inside & {
  /** What it is for. */
  readonly text: Word
  /** Until then a code by mail is no proof for it. */
  readonly heldUntil?: number | undefined
  readonly prove: (proof: Proof) => Promise<void>
  readonly onBack: () => void
}): ReactNode {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState<Proof['kind']>()
  const [failed, setFailed] = useState<string>()
  const [slip, setSlip] = useState<string>()
  const { kinds } = getProtection(opened.vault.record)
  const { email } = me.user
  const prove = async (proof: Proof): Promise<void> => {
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
      title={say('proveTitle')}
      footer={
        <Button wide onClick={onBack}>
          {say('back')}
        </Button>
      }
    >
      <Text>{say(text)}</Text>
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      {heldUntil !== undefined && <Notice kind="info">{say('requestHeldUntil', { time: timeOf(heldUntil) })}</Notice>}
      {!hasPasskey && !hasKit && email === null && <Notice kind="warning">{say('proveNone')}</Notice>}
      {hasPasskey && (
        <Group name={say('proveTitle')}>
          <Row
            icon="shield"
            detail={say('recoverPasskeyText')}
            trailing="chevron"
            busy={busy === 'passkey'}
            disabled={busy !== undefined && busy !== 'passkey'}
            onClick={() => void prove({ kind: 'passkey' }).catch((error: unknown) => setFailed(passkeyWords(error)))}
          >
            {say('recoverPasskey')}
          </Row>
        </Group>
      )}
      {email !== null && heldUntil === undefined && (
        <CodeForm desk={desk} again email={email} onCode={(otp) => prove({ kind: 'code', otp })} />
      )}
      {hasKit && (
        <form
          autoComplete="off"
          onSubmit={(event: FormEvent) => {
            event.preventDefault()
            void prove({ kind: 'kit', typed }).catch((error: unknown) => setSlip(slipOf(error)))
          }}
        >
          <Stack>
            <TextField
              label={say('recoverKit')}
              hint={say('recoverKitHint')}
              error={slip}
              value={typed}
              autoCapitalize="characters"
              maxLength={120}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button type="submit" wide busy={busy === 'kit'} disabled={typed.trim() === ''}>
              {say('codeGoOn')}
            </Button>
          </Stack>
        </form>
      )}
    </Sheet>
  )
}
