import { Group, Screen, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLoginText } from '../../i18n/useLoginText.ts'
import type { ViewProps } from '../../modal/viewProps.ts'
import { ConsentBox, LegalLine, useConsent } from '../connect/Consent.tsx'
import { SocialRow, useProviders } from './SocialButtons.tsx'
import { useEmbedded } from './useEmbedded.ts'

/** All providers, each with its name. */
export function ConnectSocials(_: ViewProps<'ConnectSocials'>): ReactNode {
  const text = useLoginText()
  const { blocked } = useConsent()
  const taken = useEmbedded()
  const providers = useProviders()
  return (
    <Screen title={text('socials.title')}>
      <ConsentBox />
      {providers.length === 0 && <Text tone="soft">{text('socials.none')}</Text>}
      {providers.length > 0 && (
        <Group name={text('login.ways')}>
          {providers.map((provider) => (
            <SocialRow key={provider} provider={provider} disabled={blocked || taken} />
          ))}
        </Group>
      )}
      <LegalLine />
    </Screen>
  )
}
