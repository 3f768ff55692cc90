import { coinTypeOf, isNameZone, labelProblem, registrationMessage } from '@latchkey/protocol/accountNames'
import { toHex, toUtf8 } from '@latchkey/protocol/bytes'
import { type AccountId, addressOf, namespaceOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import {
  getNameSuggestions,
  getProfile,
  getProfilesOfAddress,
  type Profile,
  postProfile,
  type SignedProfileBody,
} from '@latchkey/protocol/http/chain'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Network, Session } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import { delay } from '../lib/delay.ts'
import { loading } from '../lib/queryResult.ts'
import { createStore } from '../lib/store.ts'
import type { StoredCache } from '../storage/storedCaches.ts'
import type { AccountNames, AccountNamesState } from './accountNamesTypes.ts'

/** The time without typing after which suggestions are requested, in milliseconds. */
const typingPauseMs = 500
/** How long a signature can be sent again, in milliseconds. Servers reject older signatures. */
const resendMs = 60_000

const initialState: AccountNamesState = {
  text: '',
  suggestions: { status: 'idle' },
  registering: false,
  error: undefined,
}

/** Creates the client for account names. Nothing is requested until the first call. */
export function createAccountNames({
  api,
  now,
  namesZone,
  cache,
  isSmartAccount,
  registered,
  track,
  clock,
}: {
  readonly api: ChainApiClient
  /** Returns the active account, with its network and wallet session. */
  now(): { readonly account: AccountId; readonly network: Network; readonly session: Session | undefined } | undefined
  /** Resolves to the zone in the server's project settings. */
  namesZone(): Promise<string | undefined>
  readonly cache: StoredCache<readonly string[]>
  isSmartAccount(): boolean
  /** Called when a name was registered for an account. */
  registered(account: AccountId, name: string): void
  track(event: AnalyticsEvent): void
  readonly clock: Clock
}): AccountNames {
  const state = createStore(initialState)
  const page = new AbortController()
  let typing = new AbortController()
  let unanswered: { readonly name: string; readonly at: number; readonly body: SignedProfileBody } | undefined

  const patch = (change: Partial<AccountNamesState>): void => state.set({ ...state.get(), ...change })
  const isSupported = async (): Promise<boolean> => {
    const chain = now()?.network.caipNetworkId
    return chain !== undefined && api.supports(chain)
  }
  const zone = async (): Promise<string | undefined> => {
    const found = await namesZone()
    return found !== undefined && isNameZone(found) ? found : undefined
  }

  const find = (name: string): Promise<Profile | undefined> =>
    api.call(getProfile, { params: { name }, query: { apiVersion: '2' }, signal: page.signal })

  async function suggest(pauseMs: number): Promise<void> {
    typing.abort()
    typing = new AbortController()
    const { signal } = typing
    const { text, suggestions } = state.get()
    if (labelProblem(text)) return patch({ suggestions: { status: 'idle' } })
    patch({ suggestions: loading(suggestions) })
    await delay({ clock, ms: pauseMs, signal })
    if (signal.aborted) return
    try {
      const value = (await isSupported())
        ? await api
            .call(getNameSuggestions, { params: { name: text }, query: { zone: await zone() }, signal })
            .then((answer) => answer.suggestions)
        : []
      if (!signal.aborted) patch({ suggestions: { status: 'ready', value } })
    } catch (error) {
      if (!signal.aborted) patch({ suggestions: { status: 'failed', error: toLatchkeyError(error) } })
    }
  }

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
      return await api.call(postProfile, { body, signal: page.signal })
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

  async function register(): Promise<string> {
    const { text } = state.get()
    const found = await zone()
    if (!found || labelProblem(text))
      throw new LatchkeyError('input/invalid', { path: 'name', message: 'is not a name that can be registered' })
    const ensName = `${text}.${found}`
    const properties = { isSmartAccount: isSmartAccount(), ensName }
    track({ event: 'REGISTER_NAME_INITIATED', properties })
    try {
      const { account, body } = await sign(ensName)
      const { name } = await send(ensName, body)
      unanswered = undefined
      const address = addressOf(account)
      cache.set(address, [...new Set([...(cache.get(address) ?? []), name])])
      registered(account, name)
      track({ event: 'REGISTER_NAME_SUCCESS', properties })
      return name
    } catch (error) {
      const { message } = toLatchkeyError(error)
      track({ event: 'REGISTER_NAME_ERROR', properties: { ...properties, error: message } })
      throw error
    }
  }

  return {
    state,
    zone,
    lookup: async (name) => ((await isSupported()) ? find(name.toLowerCase()) : undefined),
    async reverse(address) {
      const cached = cache.get(address)
      if (cached) return cached
      if (!(await isSupported())) return []
      const profiles = await api.call(getProfilesOfAddress, {
        params: { address },
        query: { apiVersion: '2' },
        signal: page.signal,
      })
      const names = profiles.map(({ name }) => name)
      cache.set(address, names)
      return names
    },
    opened: () => track({ event: 'OPEN_ENS_FLOW', properties: { isSmartAccount: isSmartAccount() } }),
    setText(typed) {
      const text = typed.trim().toLowerCase()
      if (text === state.get().text || state.get().registering) return
      // The suggestions for the previous text are not shown for this one.
      patch({ text, error: undefined, suggestions: { status: 'idle' } })
      void suggest(typingPauseMs)
    },
    retry: () => void suggest(0),
    register: sharedRun(async () => {
      patch({ registering: true, error: undefined })
      try {
        const name = await register()
        state.set(initialState)
        return name
      } catch (error) {
        const reason = toLatchkeyError(error)
        patch({ registering: false, error: reason })
        // Someone else might have registered the name since the suggestions were requested.
        if (isLatchkeyError(reason, 'http/failed')) void suggest(0)
        throw reason
      }
    }),
    stop() {
      typing.abort()
      page.abort()
    },
  }
}

const noProfile = (): undefined => undefined

/** Returns a function that runs `work`. Calls during a run share its result. */
function sharedRun<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}
