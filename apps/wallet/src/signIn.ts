import {
  type AuthPayload,
  type Cacao,
  type Metadata,
  messageOf,
  type Recap,
  readRecap,
  writeRecap,
} from '@latchkey/walletconnect'
import type { Account } from './keys.ts'
import type { Network } from './networks.ts'
import { supportedMethods } from './supportedMethods.ts'

/** What a visitor signs to sign in, one text for each network, and what is wrong with it. */
export interface SignInTexts {
  /** The network that is used now comes first. */
  readonly texts: readonly { readonly network: Network; readonly cacao: Omit<Cacao, 's'>; readonly message: string }[]
  /** What the page may ask for afterwards, without asking to connect again. */
  readonly methods: readonly string[]
  /** The message says another site than the page calls itself: somebody may be passing on a sign-in of that site. */
  readonly mismatch?: { readonly claims: string; readonly page: string } | undefined
}

/** What `account` signs on those of the page's networks that this wallet has; `undefined` when that is none. */
export function signInTexts(
  { payload, requester }: { readonly payload: AuthPayload; readonly requester: Metadata },
  { account, networks, first }: { account: Account; networks: readonly Network[]; first?: string | undefined },
): SignInTexts | undefined {
  const { chains, type: _, resources = [], ...rest } = payload
  const own = networks
    .filter(({ id }) => chains.includes(id))
    .sort((a, b) => Number(b.id === first) - Number(a.id === first))
  if (own.length === 0) return undefined
  const recap = readRecap(resources)
  const allowed = recap && within(recap, own)
  const plain = recap ? resources.slice(0, -1) : resources
  const p = { ...rest, ...fitting([...plain, ...(allowed ? [writeRecap(allowed.recap)] : [])]) }
  return {
    texts: own.map((network) => {
      const iss = `did:pkh:${network.id}:${account.evm.address}`
      return { network, cacao: { h: { t: 'caip122' }, p: { ...p, iss } }, message: messageOf(p, iss) }
    }),
    methods: allowed?.methods ?? [],
    mismatch: mismatchOf(payload, requester),
  }
}

/** Signs what the visitor has read. */
export async function signAll({ texts }: SignInTexts, account: Account): Promise<readonly Cacao[]> {
  return Promise.all(
    texts.map(async ({ cacao, message }): Promise<Cacao> => {
      return { ...cacao, s: { t: 'eip191', s: await account.evm.signMessage({ message }) } }
    }),
  )
}

function fitting(resources: readonly string[]): { readonly resources?: readonly string[] } {
  return resources.length > 0 ? { resources } : {}
}

/** A ReCap cut down to what this wallet does, on the networks that it has. */
function within(
  { att }: Recap,
  networks: readonly Network[],
): { readonly recap: Recap; readonly methods: readonly string[] } | undefined {
  const methods = supportedMethods.eip155.methods.filter((method) => att.eip155?.[`request/${method}`])
  const chains = networks.map(({ id }) => id)
  const abilities = methods.map((method) => [`request/${method}`, [{ chains }]] as const)
  // What is allowed beside EVM methods (a store, a space) is the visitor's to allow: the message says it in words.
  const recap: Recap = { att: { ...att, eip155: Object.fromEntries(abilities) } }
  if (methods.length > 0) return { recap, methods }
  const { eip155: _, ...others } = att
  return Object.keys(others).length > 0 ? { recap: { att: others }, methods } : undefined
}

function mismatchOf({ domain, aud }: AuthPayload, { url }: Metadata): SignInTexts['mismatch'] {
  const page = hostOf(url)
  const wrong = [domain, hostOf(aud)].find((claims) => claims.toLowerCase() !== page)
  return wrong === undefined ? undefined : { claims: wrong, page: page || 'nothing' }
}

/** The host and port of an address that a page names, or nothing. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
