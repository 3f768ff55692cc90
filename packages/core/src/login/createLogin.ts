import { namespaceOf } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { EmbeddedWalletClient } from '../adapter.ts'
import { popupsWork } from '../lib/inAppBrowser.ts'
import { createStore } from '../lib/store.ts'
import { awaitEmailLink } from './awaitEmailLink.ts'
import { awaitFrame } from './awaitFrame.ts'
import { connectEmbeddedAccount } from './connectEmbeddedAccount.ts'
import { createEmailChange } from './emailChange.ts'
import { createEmailCodes } from './emailCodes.ts'
import { createEmailLogin } from './emailLogin.ts'
import { createEmailThrottle } from './emailThrottle.ts'
import { startFarcasterLogin } from './farcaster.ts'
import type { LoginContext, LoginDependencies } from './loginContext.ts'
import { createLoginSteps } from './loginSteps.ts'
import type { Login, LoginState } from './loginTypes.ts'
import { logInWithPasskey } from './passkeyLogin.ts'
import { type SocialLogin, startSocialLogin } from './socialLogin.ts'

const initialState: LoginState = {
  busy: undefined,
  email: undefined,
  error: undefined,
  resendAt: undefined,
  social: undefined,
  farcasterUrl: undefined,
}

/** Creates the embedded wallet's login flow. The frame is not loaded before the first action. */
export function createLogin(
  dependencies: LoginDependencies,
): Login & { stop(): void; resumeRedirect(): Promise<void> } {
  const { records, clock, log, state, track } = dependencies
  const page = new AbortController()
  const { signal } = page
  const patch = (change: Partial<LoginState>) => store.set({ ...store.get(), ...change })
  const throttle = createEmailThrottle({
    lastSent: records.lastEmailLoginTime,
    clock,
    changed: (resendAt) => patch({ resendAt }),
  })
  const store = createStore<LoginState>({ ...initialState, resendAt: throttle.resendAt() })
  const { run, setErrorFormatter, confirmResent } = createLoginSteps({ toast: dependencies.toast, signal, patch })
  let farcaster: SocialLogin | undefined
  let social: SocialLogin | undefined
  // Load the client early, because the popup must be opened synchronously in a click handler.
  let client: EmbeddedWalletClient | undefined
  dependencies.wallet().then(
    (wallet) => {
      client = wallet
    },
    (error: unknown) => log.warn('Unable to load the embedded wallet', error),
  )
  throttle.update()

  const context: LoginContext = {
    ...dependencies,
    store,
    signal,
    patch,
    run,
    awaitFrame: (wallet, signal) => awaitFrame(wallet, { state: store, signal }),
    supportsNetwork() {
      const { active, known } = state.get().networks
      const namespaces = dependencies.namespaces()
      if (namespaces.length === 0) throw new LatchkeyError('wallet/not-found', { connectorId: 'ID_AUTH' })
      if (!active || namespaces.includes(namespaceOf(active))) return true
      const network = known.find(({ chainNamespace }) => namespaces.includes(chainNamespace))?.caipNetworkId
      if (network) dependencies.navigation.follow({ type: 'network-unsupported', network })
      return network === undefined
    },
    connectEmbeddedAccount: () => connectEmbeddedAccount(dependencies, throttle.update),
  }
  const codes = createEmailCodes(context)

  return {
    state: store,
    secondsToWait: throttle.secondsToWait,
    clearError: () => patch({ error: undefined }),
    setErrorFormatter,
    ...createEmailLogin({ ...context, codes, throttle, confirmResent }),
    ...createEmailChange({ ...context, codes, throttle }),
    currentEmail: () => records.email.get(),
    awaitDevice: () => awaitEmailLink(context),
    async social(provider, { here = !popupsWork() } = {}) {
      social?.cancel()
      if (!context.supportsNetwork()) return
      const login = startSocialLogin(context, { provider, here })
      social = login
      await login.done
    },
    cancelSocial() {
      social?.cancel()
      social = undefined
    },
    resumeRedirect: async () => (await import('./socialRedirect.ts')).resumeRedirect(context),
    async farcaster() {
      farcaster?.cancel()
      if (!context.supportsNetwork()) return
      const login = startFarcasterLogin(context)
      farcaster = login
      await login.done
    },
    cancelFarcaster() {
      farcaster?.cancel()
      farcaster = undefined
    },
    passkey: (cancelled) => logInWithPasskey(context, cancelled),
    walletPage: () => client?.walletPage,
    isSingle: async () => (await dependencies.wallet()).hasSingleKey(),
    async setAccountType(type) {
      const { active } = state.get().networks
      if (!active) throw new LatchkeyError('network/not-found', { chain: '' })
      const wallet = await dependencies.wallet()
      const accountType = await wallet.setAccountType(namespaceOf(active), type)
      track({ event: 'SET_PREFERRED_ACCOUNT_TYPE', properties: { accountType, network: active } })
      return accountType
    },
    smartAccountsHere() {
      const { active } = state.get().networks
      const reference = active?.slice(active.indexOf(':') + 1) ?? ''
      return (records.smartAccountNetworks.get() ?? []).includes(reference)
    },
    stop() {
      page.abort()
      throttle.stop()
      social?.cancel()
      farcaster?.cancel()
    },
  }
}
