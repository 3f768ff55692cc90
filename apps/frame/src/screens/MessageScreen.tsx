import { Notice } from '@latchkey/ui'
import type { ReactNode } from 'react'
import type { MessageReading, SignIn } from '../readable/message.ts'
import { ApprovalButtons } from './ApprovalButtons.tsx'
import { DecidingFacts } from './DecidingFacts.tsx'
import { Blanks } from './Effect.tsx'
import { PageText, TextBox } from './PageText.tsx'
import { Facts, Origin, Protect, type ScreenFacts, Sheet, Where } from './parts.tsx'
import { timeOf } from './times.ts'
import { say } from './words.ts'

/** A message to be signed: text as text, a sign-in as what it is, bytes as bytes. */
export function MessageScreen({
  reading,
  setting,
  doing,
  behind,
  onYes,
  onNo,
  onProtect,
}: ScreenFacts & { readonly reading: MessageReading }): ReactNode {
  const refused = reading.kind === 'refused'
  const titles = {
    text: 'messageTitle',
    bytes: 'messageTitle',
    signIn: 'signInTitle',
    refused: 'refusedTitle',
  } as const
  return (
    <Sheet
      title={say(titles[reading.kind])}
      footer={<ApprovalButtons yes={refused ? undefined : 'sign'} doing={doing} onYes={() => onYes()} onNo={onNo} />}
    >
      <DecidingFacts>
        <Origin origin={setting.origin} wants="asks" behind={behind} />
        <Said reading={reading} site={new URL(setting.origin).host} />
        <Where setting={setting} />
      </DecidingFacts>
      <Protect onProtect={onProtect} />
    </Sheet>
  )
}

function Said({ reading, site }: { readonly reading: MessageReading; readonly site: string }): ReactNode {
  switch (reading.kind) {
    case 'text':
      return (
        <>
          {reading.hidden && <Notice kind="warning">{say('hiddenSigns')}</Notice>}
          <TextBox name={say('message')} text={reading.text} toEnd />
        </>
      )
    case 'bytes':
      return (
        <>
          <Notice kind="warning" title={say('bytesTitle')}>
            {say(reading.hash ? 'hash' : 'bytes')}
          </Notice>
          <TextBox name={say('message')} text={reading.hex} code toEnd />
        </>
      )
    case 'signIn':
      return (
        <>
          <Notice kind="success">{say('signInGood')}</Notice>
          <SignInFacts signIn={reading.signIn} />
          <TextBox name={say('message')} text={reading.text} />
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
          <Notice kind="error" title={say('refusedTitle')}>
            <Blanks
              word={reasons[reading.because]}
              fill={(name) => (name === 'claimed' ? <PageText text={reading.claimed} /> : site)}
            />
          </Notice>
          <TextBox name={say('message')} text={reading.text} />
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
          ? { name: say('signInExpires'), value: timeOf(Date.parse(expiresAt)) }
          : undefined,
        resources.length > 0 ? { name: say('signInResources'), value: <Resources resources={resources} /> } : undefined,
      ]}
    />
  )
}

function Resources({ resources }: Pick<SignIn, 'resources'>): ReactNode {
  return (
    <ul className="plain-list">
      {resources.map((resource, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: resources may repeat and never move
        <li key={at}>
          <PageText text={resource} maxLength={500} />
        </li>
      ))}
    </ul>
  )
}
