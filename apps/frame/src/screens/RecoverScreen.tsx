import { Address, Button, Field, Notice, Stack, Text } from '@latchkey/ui'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Recovering } from '../subject.ts'
import { Facts, Origin, Sheet } from './parts.tsx'
import { say, type Word } from './words.ts'

/** No key of this device opens the vault: the person brings another one. Never a new, different address. */
export function RecoverScreen({
  recovering,
  doing,
  onYes,
  onNo,
}: {
  readonly recovering: Recovering
  readonly doing: boolean
  readonly onYes: (vault: unknown) => void
  readonly onNo: () => void
}): ReactNode {
  const { origin, email, address, kinds, because, openWithPasskey } = recovering
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [trying, setTrying] = useState(false)
  const reasons = {
    'new-device': 'recoverNew',
    removed: 'recoverRemoved',
    'no-storage': 'recoverNoStorage',
    lost: 'recoverLost',
  } as const
  const attempt = (opening: Promise<unknown>, sentence: (failed: unknown) => string): void => {
    setTrying(true)
    setError(undefined)
    opening.then(onYes, (failed: unknown) => setError(sentence(failed))).finally(() => setTrying(false))
  }
  const open = (event: FormEvent): void => {
    event.preventDefault()
    attempt(recovering.openWithKit(typed), slipOf)
  }
  return (
    <Sheet
      title={say('recoverTitle')}
      footer={
        <Button wide onClick={onNo} disabled={doing}>
          {say('cancel')}
        </Button>
      }
    >
      <Origin origin={origin} wants="recoverAsks" behind={0} />
      <Text>{say(reasons[because])}</Text>
      <Facts
        facts={[
          email === null ? undefined : { name: say('email'), value: email },
          { name: say('account'), value: <Address address={address} /> },
        ]}
      />
      {openWithPasskey && (
        <Button
          wide
          icon="shield"
          busy={trying || doing}
          onClick={() => attempt(openWithPasskey(), () => say('recoverPasskeyFailed'))}
        >
          {say('recoverPasskey')}
        </Button>
      )}
      {kinds.includes('kit') ? (
        <form onSubmit={open} autoComplete="off">
          <Stack>
            <Field
              label={say('recoverKit')}
              hint={say('recoverKitHint')}
              error={error}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoCapitalize="characters"
              maxLength={120}
            />
            <Button type="submit" kind="primary" wide busy={trying || doing}>
              {say('recoverOpen')}
            </Button>
          </Stack>
        </form>
      ) : openWithPasskey ? (
        error !== undefined && <Notice kind="error">{error}</Notice>
      ) : (
        <Notice kind="warning">{say('recoverNoKit')}</Notice>
      )}
    </Sheet>
  )
}

/** A slip is told by what it is; everything else is a code that does not fit. */
function slipOf(failed: unknown): string {
  const slip = typeof failed === 'object' && failed !== null && 'slip' in failed ? failed.slip : undefined
  if (typeof slip !== 'object' || slip === null || !('slip' in slip)) return say('kitWrong')
  const sentences: Readonly<Record<string, Word>> = { length: 'kitLength', letter: 'kitLetter', group: 'kitGroup' }
  const word = sentences[String(slip.slip)]
  return word ? say(word, slip as unknown as Record<string, string | number>) : say('kitWrong')
}
