import { isNameZone, labelProblem } from '@latchkey/protocol/accountNames'
import { type AccountId, addressOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { getNameSuggestions, getProfile, getProfilesOfAddress, type Profile } from '@latchkey/protocol/http/chainApi'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Network, Session } from '../adapter.ts'
import type { AnalyticsEvent } from '../analytics/analyticsEvents.ts'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import { delay } from '../lib/delay.ts'
import { loading } from '../lib/queryResult.ts'
import { createStore } from '../lib/store.ts'
import type { StoredCache } from '../storage/storedCaches.ts'
import type { AccountNames, AccountNamesState } from './accountNamesTypes.ts'
import { createNameRegistration } from './nameRegistration.ts'

/** The time without typing after which suggestions are requested, in milliseconds. */
const typingPauseMs = 500

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

  const patch = (change: Partial<AccountNamesState>): void => state.set({ ...state.get(), ...change })
  const isSupported = async (): Promise<boolean> => {
    const chain = now()?.network.caipNetworkId
    return chain !== undefined && api.supports(chain)
  }
  const zone = async (): Promise<string | undefined> => {
    const found = await namesZone()
    return found !== undefined && isNameZone(found) ? found : undefined
  }

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

  const find = (name: string): Promise<Profile | undefined> =>
    api.call(getProfile, { params: { name }, query: { apiVersion: '2' }, signal: page.signal })
  const registration = createNameRegistration({
    api,
    now,
    find,
    isSmartAccount,
    track,
    clock,
    signal: page.signal,
    registered(account, name) {
      const address = addressOf(account)
      cache.set(address, [...new Set([...(cache.get(address) ?? []), name])])
      registered(account, name)
    },
  })

  async function register(): Promise<string> {
    const { text } = state.get()
    const found = await zone()
    if (!found || labelProblem(text))
      throw new LatchkeyError('input/invalid', { path: 'name', message: 'is not a name that can be registered' })
    // The server would reject the signature.
    if (!(await isSupported()))
      throw new LatchkeyError('network/unsupported', { chain: String(now()?.network.caipNetworkId) })
    return registration.register(`${text}.${found}`)
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
      // Do not show the suggestions for the previous text.
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
