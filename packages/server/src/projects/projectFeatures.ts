import { socialProviders } from '@latchkey/protocol/http/keys'
import type { ProjectFeature } from '@latchkey/protocol/http/projectRoutes'

// The features that a project enables for its pages, as returned by `GET /appkit/v1/config` (specification, services 2.5). They
// are stored as strings such as `swap` or, for a feature with options, `social_login=google,email`.

/**
 * The features in the wire format, with their possible options. `any` means that the options depend on the operator's providers.
 */
const choices: Readonly<Record<string, readonly string[] | 'any'>> = {
  social_login: [...socialProviders, 'farcaster', 'email'],
  swap: 'any',
  onramp: 'any',
  activity: [],
  multi_wallet: [],
  reown_branding: [],
  email_capture: ['required'],
  fund_from_exchange: [],
  payments: [],
  reown_authentication: [],
  headless: [],
}

/** Returns the reason why `feature`, as passed to `projects add --feature`, is invalid. Returns `undefined` if it is valid. */
export function featureComplaint(feature: string): string | undefined {
  const { id, chosen } = read(feature)
  const known = Object.hasOwn(choices, id) ? choices[id] : undefined
  if (known === undefined) return `"${id}" is not a feature. The features are ${Object.keys(choices).join(', ')}.`
  const wrong = known === 'any' ? undefined : chosen.find((name) => !known.includes(name))
  if (wrong === undefined) return undefined
  return known.length === 0
    ? `${id} takes no values.`
    : `"${wrong}" is not a valid value for ${id}. Valid values are ${(known as readonly string[]).join(', ')}.`
}

/** Returns the state of every feature, or `null` if the project lists none. In that case, its pages choose their features. */
export function featureAnswers(features: readonly string[]): readonly ProjectFeature[] | null {
  if (features.length === 0) return null
  const on = new Map(features.map(read).map(({ id, chosen }) => [id, chosen]))
  return Object.keys(choices).map((id) => ({ id, isEnabled: on.has(id), config: on.get(id) ?? [] }))
}

function read(feature: string): { id: string; chosen: readonly string[] } {
  const [id = '', chosen = ''] = feature.split('=')
  return { id, chosen: chosen.split(',').flatMap((name) => name.trim() || []) }
}
