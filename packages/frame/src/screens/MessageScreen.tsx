import { Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { DecodedMessage, SignIn } from '../decoders/decodeMessage.ts'
import { t } from '../texts/translations.ts'
import { ApprovalButtons } from './ApprovalButtons.tsx'
import { BackupNotice, Facts, NetworkAndAccount, Origin, type ScreenProps, Sheet } from './approvalScreenParts.tsx'
import { MessageWithNodes } from './EffectDetails.tsx'
import { formatTime } from './formatTime.ts'
import { RequiredFacts } from './RequiredFacts.tsx'
import { SanitizedText, TextBox } from './SanitizedText.tsx'

/** Shows a message to sign (as text, a sign-in message or bytes), or a refused message and the reason for the refusal. */
export function MessageScreen({
  reading,
  setting,
  doing,
  behind,
  onYes,
  onNo,
  onProtect,
}: ScreenProps & { readonly reading: DecodedMessage }): ReactNode {
  const refused = reading.kind === 'refused'
  const titles = {
    text: 'messageTitle',
    bytes: 'messageTitle',
    signIn: 'signInTitle',
    refused: 'refusedTitle',
  } as const
  return (
    <Sheet
      title={t(titles[reading.kind])}
      footer={<ApprovalButtons yes={refused ? undefined : 'sign'} doing={doing} onYes={() => onYes()} onNo={onNo} />}
    >
      <RequiredFacts>
        <Origin origin={setting.origin} wants="asks" behind={behind} />
        <MessageText reading={reading} site={new URL(setting.origin).host} />
        <NetworkAndAccount setting={setting} />
      </RequiredFacts>
      <BackupNotice onProtect={onProtect} />
    </Sheet>
  )
}

function MessageText({ reading, site }: { readonly reading: DecodedMessage; readonly site: string }): ReactNode {
  switch (reading.kind) {
    case 'text':
      return (
        <>
          {reading.hidden && <Notice kind="warning">{t('hiddenSigns')}</Notice>}
          <TextBox name={t('message')} text={reading.text} toEnd />
        </>
      )
    case 'bytes':
      return (
        <>
          <Notice kind="warning" title={t('bytesTitle')}>
            {t(reading.hash ? 'hash' : 'bytes')}
          </Notice>
          <TextBox name={t('message')} text={reading.hex} code toEnd />
        </>
      )
    case 'signIn':
      return (
        <>
          <Notice kind="success">{t('signInGood')}</Notice>
          <SignInFacts signIn={reading.signIn} />
          <TextBox name={t('message')} text={reading.text} />
        </>
      )
    case 'refused': {
      const reasons = {
        'other-site': 'refusedSite',
        'other-account': 'refusedAccount',
        malformed: 'refusedMalformed',
        'own-account': 'refusedHash',
      } as const
      return (
        <>
          <Notice kind="error" title={t('refusedTitle')}>
            <MessageWithNodes
              word={reasons[reading.because]}
              fill={(name) => (name === 'claimed' ? <SanitizedText text={reading.claimed} /> : site)}
            />
          </Notice>
          <TextBox name={t('message')} text={reading.text} />
        </>
      )
    }
  }
}

function SignInFacts({ signIn }: { readonly signIn: SignIn }): ReactNode {
  const { expiresAt, resources } = signIn
  if (!expiresAt && resources.length === 0) return null
  return (
    <Facts
      facts={[
        expiresAt && !Number.isNaN(Date.parse(expiresAt))
          ? { name: t('signInExpires'), value: formatTime(Date.parse(expiresAt)) }
          : undefined,
        resources.length > 0 ? { name: t('signInResources'), value: <Resources resources={resources} /> } : undefined,
      ]}
    />
  )
}

function Resources({ resources }: Pick<SignIn, 'resources'>): ReactNode {
  return (
    <ul className="plain-list">
      {resources.map((resource, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: resources can repeat and keep their order
        <li key={at}>
          <SanitizedText text={resource} maxLength={500} />
        </li>
      ))}
    </ul>
  )
}
