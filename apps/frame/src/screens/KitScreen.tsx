import { Button, Notice, QrCode, Stack, Text, TextField } from '@latchkey/ui'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { sentenceFor } from '../refusal.ts'
import type { RecoveryKit } from '../subject.ts'
import { Sheet } from './parts.tsx'
import { say } from './words.ts'

/** A new recovery code: written down, proven to be, and then one of the keys. */
export function KitScreen({
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
      <div className="code" role="group" dir="ltr" aria-label={say('recoverKit')}>
        {groups.map((group, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups may repeat and never move
          <span key={at}>{group}</span>
        ))}
      </div>
      <form onSubmit={keep} autoComplete="off">
        <Stack>
          <TextField
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
