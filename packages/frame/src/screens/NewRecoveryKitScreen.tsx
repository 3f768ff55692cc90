import { Button, Notice, QrCode, Stack, Text, TextField } from '@latchkey/ui'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { RecoveryKit } from '../approvals/approvalViewModel.ts'
import { publicErrorMessage } from '../publicError.ts'
import { t } from '../texts/translations.ts'
import { Sheet } from './approvalScreenParts.tsx'

/** Shows a new recovery code, verifies that the user wrote it down, and adds it as a key. */
export function NewRecoveryKitScreen({
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
      setError(t('kitCheckWrong'))
      return
    }
    setBusy(true)
    setError(undefined)
    kit
      .keep()
      .then(setFile, (failed: unknown) => setError(publicErrorMessage(failed)))
      .finally(() => setBusy(false))
  }
  if (file !== undefined) return <SavedKitScreen file={file} onDone={onDone} />
  return (
    <Sheet
      title={t('kitTitle')}
      footer={
        <Button wide onClick={onBack} disabled={busy}>
          {t('back')}
        </Button>
      }
    >
      <Text>{t('kitText')}</Text>
      <div className="code" role="group" dir="ltr" aria-label={t('recoverKit')}>
        {groups.map((group, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups can repeat and keep their order
          <span key={at}>{group}</span>
        ))}
      </div>
      <form onSubmit={keep} autoComplete="off">
        <Stack>
          <TextField
            label={t('kitCheck')}
            value={typed}
            error={error}
            maxLength={5}
            autoCapitalize="characters"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" kind="primary" wide busy={busy}>
            {t('kitKeep')}
          </Button>
        </Stack>
      </form>
      <details className="fold">
        <summary>{t('kitQr')}</summary>
        <Stack align="center">
          <QrCode value={kit.qr} size={240} label={t('kitQr')} />
        </Stack>
      </details>
    </Sheet>
  )
}

function SavedKitScreen({ file, onDone }: { readonly file: string; readonly onDone: () => void }): ReactNode {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([file], { type: 'application/json' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    <Sheet
      title={t('kitTitle')}
      footer={
        <Button wide kind="primary" onClick={onDone}>
          {t('done')}
        </Button>
      }
    >
      <Notice kind="success">{t('kitDone')}</Notice>
      <Text>{t('kitFileText')}</Text>
      {url !== undefined && (
        <a className="button" data-kind="secondary" data-wide download="recovery-kit.json" href={url}>
          <span>{t('kitFile')}</span>
        </a>
      )}
    </Sheet>
  )
}
