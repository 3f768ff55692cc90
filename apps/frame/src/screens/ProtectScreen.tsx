import { Button, Group, Notice, Row, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import type { Protecting, RecoveryKit } from '../subject.ts'
import { KitScreen } from './KitScreen.tsx'
import { Sheet } from './parts.tsx'
import { passkeyWords } from './passkeyWords.ts'
import { say } from './words.ts'

/** A second key for a wallet that has one: a recovery kit or a passkey. */
export function ProtectScreen({
  protecting,
  onDone,
}: {
  readonly protecting: Protecting
  readonly onDone: () => void
}): ReactNode {
  const [kit, setKit] = useState<RecoveryKit>()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const [done, setDone] = useState(false)
  const [opened, setOpened] = useState(false)
  if (kit) return <KitScreen kit={kit} onDone={onDone} onBack={() => setKit(undefined)} />

  const run = (act: () => Promise<void>, elsewhere = false): void => {
    // A window of its own may be closed or blocked, so this one waits for it without locking itself.
    if (elsewhere) setOpened(true)
    else setBusy(true)
    setFailed(undefined)
    act()
      .catch((error: unknown) => setFailed(passkeyWords(error)))
      .finally(() => setBusy(false))
  }
  const { addPasskey } = protecting
  return (
    <Sheet
      title={say('protectTitle')}
      footer={
        <Button wide kind={done ? 'primary' : 'secondary'} onClick={onDone} disabled={busy}>
          {say(done ? 'done' : 'back')}
        </Button>
      }
    >
      <Text>{say('protectText')}</Text>
      {failed !== undefined && (
        <Notice kind="error" title={say('protectFailed')}>
          {failed}
        </Notice>
      )}
      {opened && !done && (
        <div role="status">
          <Text tone="soft">{say('enterElsewhere')}</Text>
        </div>
      )}
      {done && <Notice kind="success">{say('kitDone')}</Notice>}
      {!done && (
        <Group name={say('protectTitle')}>
          <Row
            icon="key"
            detail={say('protectKitText')}
            trailing="chevron"
            disabled={busy}
            onClick={() => run(async () => setKit(await protecting.makeKit()))}
          >
            {say('protectKit')}
          </Row>
          {addPasskey && (
            <Row
              icon="shield"
              detail={say('protectPasskeyText')}
              trailing="chevron"
              busy={busy}
              onClick={() =>
                run(async () => {
                  await addPasskey()
                  setDone(true)
                }, protecting.elsewhere)
              }
            >
              {say('protectPasskey')}
            </Row>
          )}
        </Group>
      )}
    </Sheet>
  )
}
