import { socialProviders } from '@latchkey/protocol/http/vault'

// What a project switches on for its pages, as `GET /appkit/v1/config` tells it (specification, services 2.5). Kept as texts: `swap`,
// or `social_login=google,email` with what is chosen.

/** The features of the wire, each with what may be chosen of it; `any` where the operator's providers are called anything. */
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

/** One feature, as pages read it. */
export interface FeatureAnswer {
  readonly id: string
  readonly isEnabled: boolean
  readonly config: readonly string[]
}

/** What is wrong with `feature`, as `projects add --feature` was given it; `undefined` where nothing is. */
export function featureComplaint(feature: string): string | undefined {
  const { id, chosen } = read(feature)
  const known = Object.hasOwn(choices, id) ? choices[id] : undefined
  if (known === undefined) return `"${id}" is no feature: there are ${Object.keys(choices).join(', ')}.`
  const wrong = known === 'any' ? undefined : chosen.find((one) => !known.includes(one))
  if (wrong === undefined) return undefined
  return known.length === 0
    ? `${id} takes nothing after it.`
    : `"${wrong}" is none of what ${id} has: ${(known as readonly string[]).join(', ')}.`
}

/** Every feature of the wire, on or off; `null` where the project names none, which leaves them to the page. */
export function featureAnswers(features: readonly string[]): readonly FeatureAnswer[] | null {
  if (features.length === 0) return null
  const on = new Map(features.map(read).map(({ id, chosen }) => [id, chosen]))
  return Object.keys(choices).map((id) => ({ id, isEnabled: on.has(id), config: on.get(id) ?? [] }))
}

function read(feature: string): { id: string; chosen: readonly string[] } {
  const [id = '', chosen = ''] = feature.split('=')
  return { id, chosen: chosen.split(',').flatMap((one) => one.trim() || []) }
}
