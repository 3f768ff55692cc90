import { Checkbox, Stack, Text } from '@latchkey/ui'
import { type Context, createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { useLatchkey } from '../../hooks/useLatchkey.ts'
import { useText } from '../../i18n/useText.ts'

interface Given {
  readonly given: boolean
  set(given: boolean): void
}

const ConsentContext: Context<Given | undefined> = createContext<Given | undefined>(undefined)

/** Remembers the visitor's consent from view to view, for as long as it stands in the page. */
export function ConsentProvider({ children }: { readonly children?: ReactNode }): ReactNode {
  const [given, set] = useState(false)
  return <ConsentContext.Provider value={useMemo(() => ({ given, set }), [given])}>{children}</ConsentContext.Provider>
}

/** Whether terms have to be agreed to first, and whether they were. While `blocked`, nothing that connects may be enabled. */
export function useConsent(): {
  readonly asked: boolean
  readonly blocked: boolean
  set(given: boolean): void
  readonly given: boolean
} {
  const { options } = useLatchkey()
  const [alone, setAlone] = useState(false)
  const { given, set } = useContext(ConsentContext) ?? { given: alone, set: setAlone }
  const asked = options.features?.legalCheckbox === true && (options.termsUrl ?? options.privacyUrl) !== undefined
  return { asked, blocked: asked && !given, given, set }
}

/** The box to tick before any wallet can be chosen. Nothing at all where the host does not ask for it. */
export function ConsentBox(): ReactNode {
  const text = useText()
  const consent = useConsent()
  const links = useLegalLinks()
  if (!consent.asked) return null
  const { terms, privacy } = links
  return (
    <>
      <Checkbox checked={consent.given} onChange={consent.set}>
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

/** The line that says what connecting agrees to; nothing without links, or where the box asks instead. */
export function LegalLine(): ReactNode {
  const text = useText()
  const { asked } = useConsent()
  const { terms, privacy } = useLegalLinks()
  if (asked || !(terms || privacy)) return null
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
  const text = useText()
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

/** Whether the host's address is one of a page, on its own site or another. */
function isPage(href: string): boolean {
  return URL.canParse(href, location.href) && /^https?:$/.test(new URL(href, location.href).protocol)
}
