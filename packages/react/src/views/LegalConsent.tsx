import { type ComponentType, type Context, createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { useLatchkey } from '../hooks/useLatchkey.ts'

/** The components that show the host's legal links. Only pages with legal links load them, together with the modal. */
export interface LegalTexts {
  readonly ConsentCheckbox: ComponentType<{ readonly consent: Consent }>
  readonly LegalNotice: ComponentType
}

/** Whether the host requires consent, and whether the user has granted it. */
export interface Consent {
  readonly required: boolean
  /** While this is `true`, all connection methods must be disabled. */
  readonly blocked: boolean
  readonly granted: boolean
  set(granted: boolean): void
}

interface ConsentState {
  readonly granted: boolean
  set(granted: boolean): void
  readonly legal: LegalTexts | undefined
}

const ConsentContext: Context<ConsentState | undefined> = createContext<ConsentState | undefined>(undefined)

/** Stores the user's consent for all views. Consent is lost when the provider unmounts. */
export function ConsentProvider({
  legal,
  children,
}: {
  readonly legal: LegalTexts | undefined
  readonly children?: ReactNode
}): ReactNode {
  const [granted, set] = useState(false)
  const state = useMemo(() => ({ granted, set, legal }), [granted, legal])
  return <ConsentContext.Provider value={state}>{children}</ConsentContext.Provider>
}

/** Returns whether consent is required and has been granted. */
export function useConsent(): Consent {
  const { options } = useLatchkey()
  const [alone, setAlone] = useState(false)
  const { granted, set } = useContext(ConsentContext) ?? { granted: alone, set: setAlone }
  const required = options.features?.legalCheckbox === true && (options.termsUrl ?? options.privacyUrl) !== undefined
  return { required, blocked: required && !granted, granted, set }
}

/** Renders the consent checkbox, or nothing if the host does not require consent. */
export function ConsentBox(): ReactNode {
  const consent = useConsent()
  const legal = useContext(ConsentContext)?.legal
  return legal && consent.required ? <legal.ConsentCheckbox consent={consent} /> : null
}

/** Renders the legal notice, or nothing if the host has no legal links or requires the checkbox. */
export function LegalLine(): ReactNode {
  const { required } = useConsent()
  const legal = useContext(ConsentContext)?.legal
  return legal && !required ? <legal.LegalNotice /> : null
}
