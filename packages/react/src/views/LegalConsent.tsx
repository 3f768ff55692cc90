import { Checkbox, Stack, Text } from '@latchkey/ui'
import { type Context, createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { useLatchkey } from '../hooks/useLatchkey.ts'
import { useTranslations } from '../i18n/useTranslations.ts'

interface ConsentState {
  readonly granted: boolean
  set(granted: boolean): void
}

const ConsentContext: Context<ConsentState | undefined> = createContext<ConsentState | undefined>(undefined)

/** Stores the user's consent for all views. Consent is lost when the provider unmounts. */
export function ConsentProvider({ children }: { readonly children?: ReactNode }): ReactNode {
  const [granted, set] = useState(false)
  return (
    <ConsentContext.Provider value={useMemo(() => ({ granted, set }), [granted])}>{children}</ConsentContext.Provider>
  )
}

/** Returns whether consent is required and has been granted. While `blocked` is true, all connection methods must be disabled. */
export function useConsent(): {
  readonly required: boolean
  readonly blocked: boolean
  set(granted: boolean): void
  readonly granted: boolean
} {
  const { options } = useLatchkey()
  const [alone, setAlone] = useState(false)
  const { granted, set } = useContext(ConsentContext) ?? { granted: alone, set: setAlone }
  const required = options.features?.legalCheckbox === true && (options.termsUrl ?? options.privacyUrl) !== undefined
  return { required, blocked: required && !granted, granted, set }
}

/** Renders the consent checkbox, or nothing if the host does not require consent. */
export function ConsentBox(): ReactNode {
  const text = useTranslations()
  const consent = useConsent()
  const links = useLegalLinks()
  if (!consent.required) return null
  const { terms, privacy } = links
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

/** Renders the legal notice, or nothing if the host has no legal links or requires the checkbox. */
export function LegalLine(): ReactNode {
  const text = useTranslations()
  const { required } = useConsent()
  const { terms, privacy } = useLegalLinks()
  if (required || !(terms || privacy)) return null
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
  const text = useTranslations()
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
