import { Button, Notice, OtpField, Stack, Text, TextField } from '@latchkey/ui'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../texts/translations.ts'
import { pageErrorText } from './pageErrorText.ts'
import type { WalletPageController } from './walletPageController.ts'

/** Requests a code by email and submits it once it has six digits. If `email` is given, the code is only sent to that address. */
export function CodeForm({
  controller,
  again,
  email,
  onCode,
  atOnce = false,
}: {
  readonly controller: WalletPageController
  readonly again: boolean
  readonly email?: string
  readonly onCode: (otp: string) => Promise<unknown>
  /** Whether to request the code without a click, because the user entered the address on the page that opened this window. */
  readonly atOnce?: boolean
}): ReactNode {
  const [typed, setTyped] = useState(email ?? '')
  const [otp, setOtp] = useState('')
  const [step, setStep] = useState<'address' | 'link' | 'code'>('address')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const waiting = useRef<AbortController>(undefined)
  useEffect(() => () => waiting.current?.abort(), [])

  const run = (act: () => Promise<unknown>): void => {
    setBusy(true)
    setError(undefined)
    act()
      .catch((failed: unknown) => {
        if (!waiting.current?.signal.aborted) setError(pageErrorText(failed))
      })
      .finally(() => setBusy(false))
  }
  const ask = (event?: FormEvent): void => {
    event?.preventDefault()
    run(async () => {
      const next = await controller.mailCode(typed.trim(), again)
      setStep(next)
      if (next === 'code') return
      const now = new AbortController()
      waiting.current = now
      await controller.linkFollowed(now.signal)
      setStep('code')
    })
  }
  const send = (code: string): void => run(() => onCode(code))
  const start = useRef(ask)
  useEffect(() => {
    if (atOnce) start.current()
  }, [atOnce])
  if (step === 'code')
    return (
      <form
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy && otp.length === 6) send(otp)
        }}
      >
        <Stack>
          <Text tone="soft">{t('codeSent', { email: typed.trim() })}</Text>
          <OtpField
            label={t('codeLabel')}
            error={error}
            value={otp}
            busy={busy}
            autoFocus
            onChange={(value) => {
              setOtp(value)
              setError(undefined)
            }}
            onComplete={send}
          />
          <Button type="submit" kind="primary" wide busy={busy} disabled={otp.length < 6}>
            {t('codeGoOn')}
          </Button>
        </Stack>
      </form>
    )
  return (
    <form noValidate onSubmit={ask}>
      <Stack>
        {email === undefined ? (
          <TextField
            type="email"
            inputMode="email"
            autoComplete="email"
            label={t('email')}
            error={error}
            value={typed}
            readOnly={busy}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        ) : (
          error !== undefined && <Notice kind="error">{error}</Notice>
        )}
        {step === 'link' && (
          <div role="status">
            <Text tone="soft">{t('codeLink', { email: typed.trim() })}</Text>
          </div>
        )}
        <Button
          type="submit"
          kind={email === undefined ? 'primary' : 'secondary'}
          wide
          busy={busy}
          disabled={typed.trim() === ''}
        >
          {email === undefined ? t('codeAsk') : t('codeAskAt', { email })}
        </Button>
      </Stack>
    </form>
  )
}
