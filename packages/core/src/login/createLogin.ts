import { namespaceOf } from '@latchkey/protocol/caip'
import { emailThrottleMs } from '@latchkey/protocol/constants'
import { isLatchkeyError, LatchkeyError, toLatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import type { ConnectEmailAction } from '@latchkey/protocol/frame/messages'
import type { EmbeddedWalletClient } from '../adapter.ts'
import type { ViewName } from '../latchkey.ts'
import { linkedController } from '../lib/abort.ts'
import { popupsWork } from '../lib/device.ts'
import { createStore } from '../lib/store.ts'
import { startFarcasterLogin } from './farcaster.ts'
import type { Login, LoginState } from './login.ts'
import type { ErrorPlace, LoginContext, LoginDependencies } from './loginContext.ts'
import { startSocialLogin } from './social.ts'

/** Time before the user is notified that the frame is slow to load. Measured by the connector. */
const frameNoticeMs = 5_000

/** Lifetime of an emailed link. Waiting stops when it expires. */
const linkLifeMs = 600_000

const initialState: LoginState = {
  busy: undefined,
  email: undefined,
  error: undefined,
  resendAt: undefined,
  social: undefined,
  farcasterUrl: undefined,
}

/** Creates the login flow of the embedded wallet. The frame is not loaded before the first action. */
export function createLogin(deps: LoginDependencies): Login & { stop(): void; comeBack(): Promise<void> } {
  const { records, clock, log, modal, track } = deps
  const store = createStore<LoginState>({ ...initialState, resendAt: resendAt() })
  const patch = (change: Partial<LoginState>) => store.set({ ...store.get(), ...change })
  const page = new AbortController()
  let farcaster: ReturnType<typeof startFarcasterLogin> | undefined
  let social: ReturnType<typeof startSocialLogin> | undefined
  let cancelThrottle = () => {}
  // Load the client early: the popup must open synchronously in a click handler.
  const early = deps.wallet()
  let doorNow: EmbeddedWalletClient | undefined
  early.then(
    (wallet) => {
      doorNow = wallet
    },
    (error: unknown) => log.warn('Unable to load the embedded wallet', error),
  )

  /** Returns when the next email can be requested. Ignores timestamps in the future. */
  function resendAt(): number | undefined {
    const last = records.lastEmailLoginTime.get()
    const now = clock.now()
    return last === undefined || last > now || now - last >= emailThrottleMs ? undefined : last + emailThrottleMs
  }
  const secondsToWait = () => {
    const at = resendAt()
    return at === undefined ? 0 : Math.ceil((at - clock.now()) / 1000)
  }
  const stamp = () => {
    records.lastEmailLoginTime.set(clock.now())
    follow()
  }
  /** Updates `resendAt` as time passes. */
  const follow = () => {
    cancelThrottle()
    const at = resendAt()
    patch({ resendAt: at })
    if (at !== undefined) cancelThrottle = clock.after(at - clock.now(), follow)
  }
  follow()

  let words: ((error?: LatchkeyError) => string) | undefined
  let turns = 0
  const run: LoginContext['run'] = async (step, action, said = () => 'toast') => {
    const turn = ++turns
    patch({ busy: step, error: undefined })
    try {
      return await action()
    } catch (cause) {
      const error = toLatchkeyError(cause)
      const where =
        page.signal.aborted || error.code === 'request/aborted' || error.code === 'frame/aborted'
          ? 'nowhere'
          : said(error)
      if (where === 'field' || where === 'both') patch({ error })
      if (where === 'toast' || where === 'both') deps.toast('error', words?.(error) ?? error.message)
      throw error
    } finally {
      // Do not reset the step of a newer action.
      if (turn === turns) patch({ busy: undefined })
    }
  }

  const throttle = () => {
    const seconds = secondsToWait()
    if (seconds > 0) throw failure('email/throttled', { seconds })
  }

  const enter = async () => {
    const namespaces = deps.namespaces()
    const { namespace: active } = deps.state.get().networks
    const first = namespaces.find((each) => each === active) ?? namespaces[0]
    if (!first) throw new LatchkeyError('wallet/not-found', { connectorId: 'ID_AUTH' })
    await deps.connect({ namespace: first, beside: false })
    follow()
    const others = namespaces.filter((each) => each !== first)
    for (const namespace of others) {
      await deps
        .connect({ namespace, beside: true })
        .catch((error: unknown) => log.warn(`The embedded wallet was not connected on ${namespace}`, error))
    }
    const { active: chain } = deps.state.get().networks
    if (others.length > 0 && chain) {
      // A frame without Latchkey's extensions has a single current chain. Set it back to the displayed chain.
      const wallet = await deps.wallet()
      wallet.notify('SWITCH_NETWORK', { chainId: chain })
    }
  }

  const lead = async (action: ConnectEmailAction, email: string, again: boolean) => {
    const turn = again ? modal.replace : modal.push
    if (action === 'CONNECT') return enter()
    if (action === 'VERIFY_OTP') {
      track({ event: 'EMAIL_VERIFICATION_CODE_SENT' })
      turn('EmailVerifyOtp', { email })
    } else turn('EmailVerifyDevice', { email })
  }

  const later = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const done = () => {
        cancel()
        signal.removeEventListener('abort', done)
        resolve()
      }
      const cancel = clock.after(ms, done)
      signal.addEventListener('abort', done, { once: true })
    })

  const frameReady: LoginContext['frameReady'] = async (wallet, signal) => {
    const late = failure('frame/unreachable', { afterMs: frameNoticeMs })
    const isErrorPlace = () => store.get().error === late
    await wallet
      .initialised(signal, () => {
        if (!signal.aborted) patch({ error: late })
      })
      .catch((error: unknown) => {
        // The caller that requested the action reports the final error.
        if (isErrorPlace()) patch({ error: undefined })
        throw error
      })
    if (isErrorPlace()) patch({ error: undefined })
  }

  const askForCode = async (email: string, again: boolean) => {
    throttle()
    const wallet = await deps.wallet()
    await frameReady(wallet, page.signal)
    if (wallet.connectInWindow) patch({ busy: 'window' })
    const { action } = await wallet.request('CONNECT_EMAIL', { email }, { signal: page.signal })
    stamp()
    patch({ email })
    track({ event: 'EMAIL_SUBMITTED' })
    await lead(action, email, again)
  }

  /** Whether the embedded wallet supports the active network. If it does not, navigates to a network it supports. */
  const servesHere = (): boolean => {
    const { active } = deps.state.get().networks
    const namespaces = deps.namespaces()
    if (namespaces.length === 0) throw new LatchkeyError('wallet/not-found', { connectorId: 'ID_AUTH' })
    if (!active || namespaces.includes(namespaceOf(active))) return true
    const network = deps.state.get().networks.known.find(({ chainNamespace }) => namespaces.includes(chainNamespace))
    if (network) modal.push('SwitchNetwork', { network: network.caipNetworkId })
    return network === undefined
  }

  const invalid = (message: string) => new LatchkeyError('input/invalid', { path: 'email', message })
  const sendCode = async (
    name: 'CONNECT_OTP' | 'UPDATE_EMAIL_PRIMARY_OTP' | 'UPDATE_EMAIL_SECONDARY_OTP',
    code: string,
  ) => {
    const wallet = await deps.wallet()
    try {
      const answer = await wallet.request(name, { otp: code.replaceAll(/\s/g, '') }, { signal: page.signal })
      track({ event: 'EMAIL_VERIFICATION_CODE_PASS' })
      return answer
    } catch (cause) {
      const error = toLatchkeyError(cause)
      track({ event: 'EMAIL_VERIFICATION_CODE_FAIL', properties: { message: error.message } })
      // Marks errors of the code itself, not of the login after it: these are displayed below the field.
      refusedCodes.add(error)
      throw error
    }
  }
  const refusedCodes = new WeakSet<LatchkeyError>()
  const whereCode = (error: LatchkeyError) => (refusedCodes.has(error) ? 'field' : 'toast')
  const isTop = (view: ViewName) => deps.state.get().modal.stack.at(-1)?.view === view
  const updateRoute = () => {
    const top = deps.state.get().modal.stack.at(-1)?.data as { email?: string; redirectView?: ViewName } | undefined
    return {
      email: top?.email ?? store.get().email ?? '',
      ...(top?.redirectView && { redirectView: top.redirectView }),
    }
  }

  const isAsking = () => ['email', 'window'].includes(store.get().busy ?? '')

  const desk: LoginContext = { ...deps, store, patch, run, frameReady, enter }

  return {
    state: store,
    secondsToWait,
    clearError: () => patch({ error: undefined }),
    setErrorFormatter(say) {
      words = say
    },

    async submitEmail(typed) {
      const email = typed.trim()
      if (isAsking()) return
      await run(
        'email',
        async () => {
          if (!/^\S+@\S+\.\S+$/.test(email)) throw invalid('Invalid email')
          if (servesHere()) await askForCode(email, false)
        },
        whereEmail,
      )
    },
    async submitCode(code) {
      if (store.get().busy === 'code') return
      await run(
        'code',
        async () => {
          await sendCode('CONNECT_OTP', code)
          await enter().catch((error: unknown) => {
            // The code has been used. Another attempt needs a new code.
            if (isTop('EmailVerifyOtp')) modal.back()
            throw error
          })
        },
        whereCode,
      )
    },
    async resend() {
      const { email } = store.get()
      if (!email || isAsking()) return
      await run('email', () => askForCode(email, true))
      deps.toast('success', words?.() ?? 'Code email resent')
    },
    awaitDevice() {
      const waiting = new AbortController()
      const stop = () => waiting.abort()
      page.signal.addEventListener('abort', stop, { once: true })
      const { email = '' } = store.get()
      patch({ busy: 'device' })
      void (async () => {
        const wallet = await deps.wallet()
        for (let until = clock.now() + linkLifeMs; clock.now() < until; ) {
          try {
            // Each request times out after 30 seconds, and users need longer. Repeat it until the link expires.
            await wallet.request('CONNECT_DEVICE', undefined, { signal: waiting.signal, quiet: true })
            track({ event: 'DEVICE_REGISTERED_FOR_EMAIL' })
            track({ event: 'EMAIL_VERIFICATION_CODE_SENT' })
            return modal.replace('EmailVerifyOtp', { email })
          } catch (error) {
            if (waiting.signal.aborted) return
            if (!isAway(toLatchkeyError(error))) break
            // A temporary outage does not mean that the link was rejected.
            if (!isLatchkeyError(error, 'frame/timeout')) await later(deviceRetryMs, waiting.signal)
            if (waiting.signal.aborted) return
          }
          // If the email was resent in the meantime, wait for the new link.
          const sent = records.lastEmailLoginTime.get()
          if (sent !== undefined && sent <= clock.now()) until = Math.max(until, sent + linkLifeMs)
        }
        modal.back()
      })()
        .catch((error: unknown) => log.warn('Waiting for the other device failed', error))
        .finally(() => {
          page.signal.removeEventListener('abort', stop)
          if (store.get().busy === 'device') patch({ busy: undefined })
        })
      return stop
    },

    async social(provider, { here = !popupsWork() } = {}) {
      social?.cancel()
      if (!servesHere()) return
      const mine = startSocialLogin(desk, { provider, page: page.signal, here })
      social = mine
      await mine.done
    },
    cancelSocial() {
      social?.cancel()
      social = undefined
    },
    comeBack: async () => (await import('./socialRedirect.ts')).resumeRedirect(desk),
    async farcaster() {
      farcaster?.cancel()
      if (!servesHere()) return
      const mine = startFarcasterLogin(desk, page.signal)
      farcaster = mine
      await mine.done
    },
    cancelFarcaster() {
      farcaster?.cancel()
      farcaster = undefined
    },

    async passkey(signal) {
      if (store.get().busy === 'passkey' || !servesHere()) return
      const controller = linkedController(page.signal)
      const stop = () => controller.abort()
      signal?.addEventListener('abort', stop, { once: true })
      await run(
        'passkey',
        async () => {
          const wallet = await deps.wallet()
          await frameReady(wallet, controller.signal)
          await wallet.connectPasskey({ signal: controller.signal })
          await enter()
        },
        () => 'nowhere',
      ).finally(() => signal?.removeEventListener('abort', stop))
    },
    walletPage: () => doorNow?.walletPage,
    isSingle: async () => (await deps.wallet()).hasSingleKey(),

    currentEmail: () => records.email.get(),
    async updateEmail(typed, redirectView) {
      const email = typed.trim()
      if (store.get().busy === 'update') return
      await run(
        'update',
        async () => {
          if (!/^\S+@\S+\.\S+$/.test(email)) throw invalid('Invalid email')
          const wallet = await deps.wallet()
          const { action } = await wallet.request('UPDATE_EMAIL', { email }, { signal: page.signal })
          stamp()
          track({ event: 'EMAIL_EDIT' })
          const data = { email, ...(redirectView && { redirectView }) }
          if (action === 'VERIFY_PRIMARY_OTP') modal.push('UpdateEmailPrimaryOtp', data)
          else modal.push('UpdateEmailSecondaryOtp', data)
        },
        whereEmail,
      )
    },
    async submitPrimaryCode(code) {
      if (store.get().busy === 'update') return
      const data = updateRoute()
      await run(
        'update',
        async () => {
          await sendCode('UPDATE_EMAIL_PRIMARY_OTP', code)
          modal.replace('UpdateEmailSecondaryOtp', data)
        },
        whereCode,
      )
    },
    async submitSecondaryCode(code) {
      const { redirectView } = updateRoute()
      return run(
        'update',
        async () => {
          const answer = await sendCode('UPDATE_EMAIL_SECONDARY_OTP', code)
          const newEmail = answer?.newEmail ?? ''
          records.email.set(newEmail)
          records.emailUsed.set('true')
          records.lastEmailLoginTime.clear()
          follow()
          // Only views without data can be restored by name.
          if (redirectView) modal.reset(redirectView as 'AccountSettings')
          else modal.close()
          return newEmail
        },
        whereCode,
      )
    },

    async setAccountType(type) {
      const { active } = deps.state.get().networks
      if (!active) throw new LatchkeyError('network/not-found', { chain: '' })
      const wallet = await deps.wallet()
      const now = await wallet.setAccountType(namespaceOf(active), type)
      track({ event: 'SET_PREFERRED_ACCOUNT_TYPE', properties: { accountType: now, network: active } })
      return now
    },
    smartAccountsHere() {
      const { active } = deps.state.get().networks
      const reference = active?.slice(active.indexOf(':') + 1) ?? ''
      return (records.smartAccountNetworks.get() ?? []).includes(reference)
    },
    stop() {
      page.abort()
      cancelThrottle()
      social?.cancel()
      farcaster?.cancel()
    },
  }
}

/** Delay before the device approval is requested again after an outage. */
const deviceRetryMs = 5_000

/**
 * Returns where an email error is displayed. An invalid address (matched by message text) and an outage, which lasts longer than a toast, are
 * displayed below the field.
 */
function whereEmail(error: LatchkeyError): ErrorPlace {
  // Cancelling in the wallet's window is not an error.
  if (error.code === 'user/rejected') return 'nowhere'
  return error.message.includes('Invalid email') || isAway(error) ? 'field' : 'toast'
}

function isAway({ code }: LatchkeyError): boolean {
  return /^(frame\/(unreachable|load-failed|timeout)|wallet\/unreachable)$/.test(code)
}
