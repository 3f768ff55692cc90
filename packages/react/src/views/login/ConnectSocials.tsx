import { Group, Screen, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { ConsentBox, LegalLine, useConsent } from '../LegalConsent.tsx'
import type { ViewProps } from '../viewProps.ts'
import { SocialRow, useProviders } from './SocialButtons.tsx'
import { useIsEmbeddedWallet } from './useIsEmbeddedWallet.ts'
import { useLoginTranslations } from './useLoginTranslations.ts'

/** Renders the list of all social login providers. */
export function ConnectSocials(_: ViewProps<'ConnectSocials'>): ReactNode {
  const text = useLoginTranslations()
  const { blocked } = useConsent()
  const taken = useIsEmbeddedWallet()
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
