import { Checkbox, Stack, Text } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useTranslations } from '../i18n/useTranslations.ts'
import type { Consent } from './LegalConsent.tsx'
import { legalMessages } from './legalMessages.ts'

/** Renders the checkbox with which users agree to the host's legal pages. */
export function ConsentCheckbox({ consent }: { readonly consent: Consent }): ReactNode {
  const text = useTranslations(legalMessages)
  const { terms, privacy } = useLegalLinks()
  return (
    <>
      <Checkbox checked={consent.granted} onChange={consent.set}>
        {terms && privacy
          ? text.rich('legal.consentBoth', { terms, privacy })
          : terms
            ? text.rich('legal.consentTerms', { terms })
            : text.rich('legal.consentPrivacy', { privacy })}
      </Checkbox>
      {consent.blocked && (
        <Text kind="label" tone="soft">
          {text('legal.first')}
        </Text>
      )}
    </>
  )
}

/** Renders the notice that connecting implies agreement, or nothing if the legal links are empty. */
export function LegalNotice(): ReactNode {
  const text = useTranslations(legalMessages)
  const { terms, privacy } = useLegalLinks()
  if (!(terms || privacy)) return null
  return (
    <Stack align="center">
      <Text kind="label" tone="soft">
        {terms && privacy
          ? text.rich('legal.both', { terms, privacy })
          : terms
            ? text.rich('legal.terms', { terms })
            : text.rich('legal.privacy', { privacy })}
      </Text>
    </Stack>
  )
}

function useLegalLinks(): { terms: ReactNode; privacy: ReactNode } {
  const text = useTranslations(legalMessages)
  const { termsUrl, privacyUrl } = useLatchkey().options
  const link = (href: string | undefined, name: string) =>
    href === undefined ? undefined : !isPage(href) ? (
      name
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {name}
      </a>
    )
  return { terms: link(termsUrl, text('legal.termsName')), privacy: link(privacyUrl, text('legal.privacyName')) }
}

/** Whether `href` is an absolute or relative HTTP(S) URL. */
function isPage(href: string): boolean {
  return URL.canParse(href, location.href) && /^https?:$/.test(new URL(href, location.href).protocol)
}
