import { Button, Group, Notice, Row, Text } from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import type { Starting, StartKit } from '../subject.ts'
import { KitScreen } from './KitScreen.tsx'
import { Origin, Sheet } from './parts.tsx'
import { passkeyWords } from './passkeyWords.ts'
import { say } from './words.ts'

/** The first login where this browser keeps nothing: the wallet begins with a passkey or a kit, and is opened with it each time. */
export function StartScreen({
  starting,
  doing,
  onYes,
  onNo,
}: {
  readonly starting: Starting
  readonly doing: boolean
  readonly onYes: (vault: unknown) => void
  readonly onNo: () => void
}): ReactNode {
  const [kit, setKit] = useState<StartKit>()
  const [made, setMade] = useState<unknown>()
  const [busy, setBusy] = useState<'kit' | 'passkey'>()
  const [failed, setFailed] = useState<string>()
  const { startWithPasskey } = starting
  if (kit)
    return (
      <KitScreen
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
      .catch((error: unknown) => setFailed(passkeyWords(error)))
      .finally(() => setBusy(undefined))
  }
  const off = doing || busy !== undefined
  return (
    <Sheet
      title={say('startTitle')}
      footer={
        <Button wide onClick={onNo} disabled={doing}>
          {say('cancel')}
        </Button>
      }
    >
      {starting.origin !== undefined && <Origin origin={starting.origin} wants="recoverAsks" behind={0} />}
      <Notice kind="warning">{say('startNoStorage')}</Notice>
      <Text>{say('startText')}</Text>
      {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      <Group name={say('startTitle')}>
        {startWithPasskey && (
          <Row
            icon="shield"
            detail={say('protectPasskeyText')}
            trailing="chevron"
            disabled={off && busy !== 'passkey'}
            busy={busy === 'passkey'}
            onClick={() => run('passkey', async () => onYes(await startWithPasskey()))}
          >
            {say('protectPasskey')}
          </Row>
        )}
        <Row
          icon="key"
          detail={say('protectKitText')}
          trailing="chevron"
          disabled={off}
          onClick={() => run('kit', async () => setKit(await starting.makeKit()))}
        >
          {say('protectKit')}
        </Row>
      </Group>
    </Sheet>
  )
}
