import {
  type AuthPayload,
  type Cacao,
  type Metadata,
  messageOf,
  type Recap,
  readRecap,
  writeRecap,
} from '@latchkey/walletconnect'
import { hostOf } from './dappName.ts'
import type { Account } from './keys.ts'
import type { Network } from './networks.ts'
import { supportedMethods } from './supportedMethods.ts'

/** The sign-in messages to sign, one per network, and whether their site matches the requesting page. */
export interface SignInTexts {
  /** The messages. The active network comes first. */
  readonly texts: readonly { readonly network: Network; readonly cacao: Omit<Cacao, 's'>; readonly message: string }[]
  /** The methods that the page can call once signed in, without a separate connection request. */
  readonly methods: readonly string[]
  /** Set if the messages are for a site other than the requesting page's, as in a phishing attempt. */
  readonly mismatch?: { readonly claims: string; readonly page: string } | undefined
}

/** Returns the sign-in messages for the requested networks, or `undefined` if this wallet supports none of the networks. */
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

/** Signs the messages that the user has approved. */
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

/** Restricts a ReCap to the methods and networks that this wallet supports. */
function within(
  { att }: Recap,
  networks: readonly Network[],
): { readonly recap: Recap; readonly methods: readonly string[] } | undefined {
  const methods = supportedMethods.eip155.methods.filter((method) => att.eip155?.[`request/${method}`])
  const chains = networks.map(({ id }) => id)
  const abilities = methods.map((method) => [`request/${method}`, [{ chains }]] as const)
  // Keep other abilities, such as storage access. The message lists them in plain text, so that the user can decide.
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
