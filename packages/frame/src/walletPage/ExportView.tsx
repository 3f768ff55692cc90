import { Button, Checkbox, LiveRegion, moreIcons, Notice, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { ApprovalButtons } from '../screens/ApprovalButtons.tsx'
import { Sheet } from '../screens/approvalScreenParts.tsx'
import { t } from '../texts/translations.ts'
import type { WalletPageContext } from './pageContext.ts'
import { pageErrorText } from './pageErrorText.ts'

/**
 * Displays the recovery words after the user has reauthenticated and acknowledged the warning. The words are covered whenever the
 * page loses focus, and removed when the view closes.
 */
export function ExportView({ opened, onBack }: WalletPageContext & { readonly onBack: () => void }): ReactNode {
  const [agreed, setAgreed] = useState(false)
  const [words, setWords] = useState<readonly string[]>()
  const [covered, setCovered] = useState(false)
  const [copying, setCopying] = useState<'copied' | 'failed'>()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()

  useEffect(() => {
    const cover = (): void => setCovered(true)
    const hide = (): void => {
      if (document.visibilityState !== 'visible') cover()
    }
    // Clears the words, so that they are not restored from the back/forward cache.
    const forget = (): void => setWords(undefined)
    window.addEventListener('blur', cover)
    window.addEventListener('pagehide', forget)
    document.addEventListener('visibilitychange', hide)
    return () => {
      window.removeEventListener('blur', cover)
      window.removeEventListener('pagehide', forget)
      document.removeEventListener('visibilitychange', hide)
    }
  }, [])

  const show = (): void => {
    setBusy(true)
    setFailed(undefined)
    opened.vault
      .mnemonic()
      .then(
        (found) => {
          setCovered(false)
          setWords(found)
        },
        (error: unknown) => setFailed(pageErrorText(error)),
      )
      .finally(() => setBusy(false))
  }
  if (!words)
    return (
      <Sheet
        title={t('exportTitle')}
        footer={<ApprovalButtons yes="exportShow" notYet={!agreed} doing={busy} onYes={show} onNo={onBack} />}
      >
        <Notice kind="warning" title={t('exportWarnTitle')}>
          {t('exportWarn')}
        </Notice>
        <Text>{t('exportText')}</Text>
        <Checkbox checked={agreed} onChange={setAgreed}>
          {t('exportAgree')}
        </Checkbox>
        {failed !== undefined && <Notice kind="error">{failed}</Notice>}
      </Sheet>
    )
  const copy = (): void => {
    navigator.clipboard.writeText(words.join(' ')).then(
      () => setCopying('copied'),
      () => setCopying('failed'),
    )
  }
  return (
    // The words are on a separate screen, so that the keyboard focus starts at its heading.
    <Sheet
      key="words"
      title={t('exportTitle')}
      footer={
        <Button wide kind="primary" onClick={onBack}>
          {t('done')}
        </Button>
      }
    >
      {covered ? (
        <Stack>
          <Notice kind="info">{t('exportCovered')}</Notice>
          <Button wide onClick={() => setCovered(false)}>
            {t('exportAgain')}
          </Button>
        </Stack>
      ) : (
        <>
          <ol className="words" data-many aria-label={t('exportTitle')} translate="no">
            {words.map((word, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: words can repeat and their order does not change
              <li key={at}>{word}</li>
            ))}
          </ol>
          <Button wide icon={copying === 'copied' ? 'check' : moreIcons.copy} onClick={copy}>
            {t(copying === 'copied' ? 'exportCopied' : 'exportCopy')}
          </Button>
          <LiveRegion>{copying === 'copied' ? t('exportCopied') : ''}</LiveRegion>
          {copying === 'failed' && <Notice kind="warning">{t('exportCopyFailed')}</Notice>}
          <Text tone="soft">{t('exportCopyText')}</Text>
        </>
      )}
    </Sheet>
  )
}
