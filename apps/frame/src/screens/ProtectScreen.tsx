import { Button, Field, Group, Notice, QrCode, Row, Stack, Text } from '@latchkey/ui'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { sentenceFor } from '../refusal.ts'
import type { Protecting, RecoveryKit } from '../subject.ts'
import { Sheet } from './parts.tsx'
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
  if (kit) return <KitScreen kit={kit} onDone={onDone} onBack={() => setKit(undefined)} />

  const run = (act: () => Promise<void>): void => {
    setBusy(true)
    setFailed(undefined)
    act()
      .catch((error: unknown) => setFailed(sentenceFor(error)))
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
                })
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

function KitScreen({
  kit,
  onDone,
  onBack,
}: {
  readonly kit: RecoveryKit
  readonly onDone: () => void
  readonly onBack: () => void
}): ReactNode {
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [file, setFile] = useState<string>()
  const groups = kit.code.split('-')
  const keep = (event: FormEvent): void => {
    event.preventDefault()
    if (typed.trim().toUpperCase() !== groups.at(-1)) {
      setError(say('kitCheckWrong'))
      return
    }
    setBusy(true)
    setError(undefined)
    kit
      .keep()
      .then(setFile, (failed: unknown) => setError(sentenceFor(failed)))
      .finally(() => setBusy(false))
  }
  if (file !== undefined) return <KeptScreen file={file} onDone={onDone} />
  return (
    <Sheet
      title={say('kitTitle')}
      footer={
        <Button wide onClick={onBack} disabled={busy}>
          {say('back')}
        </Button>
      }
    >
      <Text>{say('kitText')}</Text>
      <div className="code" role="group" aria-label={say('recoverKit')}>
        {groups.map((group, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups may repeat and never move
          <span key={at}>{group}</span>
        ))}
      </div>
      <form onSubmit={keep} autoComplete="off">
        <Stack>
          <Field
            label={say('kitCheck')}
            value={typed}
            error={error}
            maxLength={5}
            autoCapitalize="characters"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" kind="primary" wide busy={busy}>
            {say('kitKeep')}
          </Button>
        </Stack>
      </form>
      <details className="fold">
        <summary>{say('kitQr')}</summary>
        <Stack align="center">
          <QrCode value={kit.qr} size={240} label={say('kitQr')} />
        </Stack>
      </details>
    </Sheet>
  )
}

function KeptScreen({ file, onDone }: { readonly file: string; readonly onDone: () => void }): ReactNode {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([file], { type: 'application/json' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    <Sheet
      title={say('kitTitle')}
      footer={
        <Button wide kind="primary" onClick={onDone}>
          {say('done')}
        </Button>
      }
    >
      <Notice kind="success">{say('kitDone')}</Notice>
      <Text>{say('kitFileText')}</Text>
      {url !== undefined && (
        <a className="button" data-kind="secondary" data-wide download="recovery-kit.json" href={url}>
          <span>{say('kitFile')}</span>
        </a>
      )}
    </Sheet>
  )
}
