import { type Latchkey, route, type SignInSession, type ViewName } from '@latchkey/core'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'

/** Opens the sign-in view and resolves to the session. Rejects if the user closes the view without signing in. */
export async function promptSignIn(latchkey: Latchkey, loadModal: () => void): Promise<SignInSession> {
  await requireSignIn(latchkey)
  if (!latchkey.account().account)
    throw failure('sign-in/no-address', undefined, { cause: new Error('No account is connected. Connect first.') })
  const { state, modal } = latchkey
  const current = currentSession(latchkey)
  if (current) return current
  const view = latchkey.options.authentication?.view ?? 'SIWXSignMessage'
  if (!isPromptOpen(latchkey, view)) modal.open({ view: route(view) })
  loadModal()

  return new Promise((resolve, reject) => {
    const unsubscribe = state.subscribe(() => check())
    function check(): void {
      const session = currentSession(latchkey)
      if (session) {
        unsubscribe()
        resolve(session)
        if (isPromptOpen(latchkey, view)) modal.close({ force: true })
      } else if (isPromptDismissed(latchkey, view)) {
        // If signing fails while the modal is closed, the modal reopens in the same task, so the check is repeated afterwards.
        queueMicrotask(() => {
          if (!isPromptDismissed(latchkey, view)) return
          unsubscribe()
          reject(new LatchkeyError('user/rejected', { request: 'signIn' }))
        })
      }
    }
    check()
  })
}

/** Ends the active account's sign-in session. */
export async function signOut(latchkey: Latchkey): Promise<void> {
  await (await requireSignIn(latchkey)).signOut()
}

async function requireSignIn(latchkey: Latchkey): Promise<NonNullable<Awaited<ReturnType<Latchkey['signIn']>>>> {
  const signIn = await latchkey.signIn()
  if (!signIn) throw failure('sign-in/off')
  return signIn
}

function currentSession({ state }: Latchkey): SignInSession | undefined {
  const { status, session } = state.get().signIn
  return status === 'signed-in' ? session : undefined
}

/** Whether the sign-in view is open, possibly with other views on top. */
function isPromptOpen({ state, options }: Latchkey, view: ViewName): boolean {
  const { open, stack } = state.get().modal
  return (open || options.embedded === true) && stack.some((entry) => entry.view === view)
}

function isPromptDismissed(latchkey: Latchkey, view: ViewName): boolean {
  const { status } = latchkey.state.get().signIn
  // While a wallet request is pending, the user can still approve it after the modal has been closed.
  return status !== 'signed-in' && status !== 'signing' && status !== 'cancelling' && !isPromptOpen(latchkey, view)
}
