import { coinTypeOf, registrationMessage } from '@latchkey/protocol/accountNames'
import { toHex, toUtf8 } from '@latchkey/protocol/bytes'
import { type AccountId, addressOf, namespaceOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { type Profile, postProfile, type SignedProfileBody } from '@latchkey/protocol/http/chainApi'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Network, Session } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'

/** How long a signature can be sent again, in milliseconds. Servers reject older signatures. */
const resendMs = 60_000

/** Registers account names. */
export interface NameRegistration {
  /** Prompts the user to sign, and registers the full name. Resolves to the registered name. */
  register(ensName: string): Promise<string>
}

/** Creates the registration of account names. */
export function createNameRegistration({
  api,
  now,
  find,
  isSmartAccount,
  registered,
  track,
  clock,
  signal,
}: {
  readonly api: ChainApiClient
  /** Returns the active account, with its network and wallet session. */
  now(): { readonly account: AccountId; readonly network: Network; readonly session: Session | undefined } | undefined
  /** Resolves to the profile of a name, if it is registered. */
  find(name: string): Promise<Profile | undefined>
  isSmartAccount(): boolean
  /** Called when a name was registered for an account. */
  registered(account: AccountId, name: string): void
  track(event: AnalyticsEvent): void
  readonly clock: Clock
  readonly signal: AbortSignal
}): NameRegistration {
  let unanswered: { readonly name: string; readonly at: number; readonly body: SignedProfileBody } | undefined

  async function sign(name: string): Promise<{ account: AccountId; body: SignedProfileBody }> {
    const active = now()
    const signMessage = active?.session?.can.signMessage
    if (!active || !signMessage || namespaceOf(active.account) !== 'eip155')
      throw new LatchkeyError('wallet/unsupported', { method: 'personal_sign' })
    const { account, network } = active
    const address = addressOf(account)
    const coinType = coinTypeOf(Number(network.id))
    if (
      unanswered?.name === name &&
      unanswered.body.address === address &&
      unanswered.body.coin_type === coinType &&
      clock.now() - unanswered.at < resendMs
    )
      return { account, body: unanswered.body }
    const at = clock.now()
    const message = registrationMessage({ name, timestamp: Math.floor(at / 1000) })
    const signature = await signMessage({ account, message: toUtf8(message) })
    const body = { message, signature: toHex(signature), coin_type: coinType, address }
    unanswered = { name, at: clock.now(), body }
    return { account, body }
  }

  async function send(name: string, body: SignedProfileBody): Promise<Profile> {
    try {
      return await api.call(postProfile, { body, signal })
    } catch (error) {
      // The server might have registered the name, although its response did not reach the page.
      const found =
        isLatchkeyError(error) && error.code.startsWith('http/') ? await find(name).catch(noProfile) : undefined
      const isOwn = Object.values(found?.addresses ?? {}).some(
        ({ address }) => address.toLowerCase() === body.address.toLowerCase(),
      )
      if (found && isOwn) return found
      if (isLatchkeyError(error, 'http/failed') && error.details.status < 500) unanswered = undefined
      throw error
    }
  }

  async function register(ensName: string): Promise<string> {
    const properties = { isSmartAccount: isSmartAccount(), ensName }
    track({ event: 'REGISTER_NAME_INITIATED', properties })
    try {
      const { account, body } = await sign(ensName)
      const { name } = await send(ensName, body)
      unanswered = undefined
      registered(account, name)
      track({ event: 'REGISTER_NAME_SUCCESS', properties })
      return name
    } catch (error) {
      const { message } = toLatchkeyError(error)
      track({ event: 'REGISTER_NAME_ERROR', properties: { ...properties, error: message } })
      throw error
    }
  }

  return { register }
}

const noProfile = (): undefined => undefined
