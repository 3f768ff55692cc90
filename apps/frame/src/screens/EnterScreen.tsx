import { Button, Group, Notice, Row, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import type { Entering } from '../subject.ts'
import { Origin, Sheet } from './parts.tsx'
import { passkeyWords } from './passkeyWords.ts'
import { say } from './words.ts'

/** Coming in by passkey: with one that is there, or with a new one. The browser asks for it after the press. */
export function EnterScreen({
  entering,
  doing,
  onYes,
  onNo,
}: {
  readonly entering: Entering
  readonly doing: boolean
  readonly onYes: (entered: unknown) => void
  readonly onNo: () => void
}): ReactNode {
  const [busy, setBusy] = useState<'signIn' | 'begin'>()
  const [opened, setOpened] = useState(false)
  const [failed, setFailed] = useState<string>()
  const run = (what: 'signIn' | 'begin'): void => {
    // A window of its own may be closed or blocked, so this one waits for it without locking itself.
    const isElsewhere = what === 'begin' && entering.elsewhere
    if (isElsewhere) setOpened(true)
    else setBusy(what)
    setFailed(undefined)
    // At once, within the press: browsers ask for a passkey, and open a window, only then.
    entering[what]()
      .then(onYes, (error: unknown) => setFailed(passkeyWords(error)))
      .finally(() => setBusy(undefined))
  }
  const off = doing || busy !== undefined
  return (
    <Sheet
      title={say('enterTitle')}
      footer={
        <Button wide onClick={onNo} disabled={doing}>
          {say('cancel')}
        </Button>
      }
    >
      {entering.origin !== undefined && <Origin origin={entering.origin} wants="recoverAsks" behind={0} />}
      <Text>{say('enterText')}</Text>
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      <Group name={say('enterTitle')}>
        <Row
          icon="key"
          detail={say('enterHaveText')}
          trailing="chevron"
          disabled={off && busy !== 'signIn'}
          busy={busy === 'signIn'}
          onClick={() => run('signIn')}
        >
          {say('enterHave')}
        </Row>
        <Row
          icon="plus"
          detail={say('enterNewText')}
          trailing={entering.elsewhere ? 'external' : 'chevron'}
          disabled={off && busy !== 'begin'}
          busy={busy === 'begin'}
          onClick={() => run('begin')}
        >
          {say('enterNew')}
        </Row>
      </Group>
      {opened && (
        <div role="status">
          <Text tone="soft">{say('enterElsewhere')}</Text>
        </div>
      )}
    </Sheet>
  )
}
