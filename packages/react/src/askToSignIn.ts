import { type Latchkey, route, type SignInSession, type ViewName } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol/errors'
import { failure } from '@latchkey/protocol/errors/errorMessages'

/** Opens the view that asks, and answers the proof. Rejects once the visitor has left without it. */
export async function askToSignIn(latchkey: Latchkey, enter: () => void): Promise<SignInSession> {
  await offered(latchkey)
  if (!latchkey.account().account)
    throw failure('sign-in/no-address', undefined, { cause: new Error('Nobody is connected: connect first') })
  const { state, modal } = latchkey
  const held = heldBy(latchkey)
  if (held) return held
  const view = latchkey.options.signInKeeper?.view ?? 'SIWXSignMessage'
  if (!isAsking(latchkey, view)) modal.open({ view: route(view) })
  enter()

  return new Promise((resolve, reject) => {
    const unfollow = state.subscribe(() => look())
    function look(): void {
      const session = heldBy(latchkey)
      if (session) {
        unfollow()
        resolve(session)
        if (isAsking(latchkey, view)) modal.close({ force: true })
      } else if (isOver(latchkey, view)) {
        // What failed behind a closed modal opens it again at once: whether they left is seen after that.
        queueMicrotask(() => {
          if (!isOver(latchkey, view)) return
          unfollow()
          reject(new LatchkeyError('user/rejected', { request: 'signIn' }))
        })
      }
    }
    look()
  })
}

/** Ends the sign-in session of the active account. */
export async function signOut(latchkey: Latchkey): Promise<void> {
  await (await offered(latchkey)).signOut()
}

async function offered(latchkey: Latchkey): Promise<NonNullable<Awaited<ReturnType<Latchkey['signIn']>>>> {
  const signIn = await latchkey.signIn()
  if (!signIn) throw failure('sign-in/off')
  return signIn
}

function heldBy({ state }: Latchkey): SignInSession | undefined {
  const { status, session } = state.get().signIn
  return status === 'signed-in' ? session : undefined
}

/** The visitor is asked: by the view itself, or by the embedded wallet over it. */
function isAsking({ state, options }: Latchkey, view: ViewName): boolean {
  const { open, stack } = state.get().modal
  return (open || options.embedded === true) && stack.some((one) => one.view === view)
}

function isOver(latchkey: Latchkey, view: ViewName): boolean {
  const { status } = latchkey.state.get().signIn
  // A wallet that is asked may still say yes when nobody looks at the modal any more.
  return status !== 'signed-in' && status !== 'signing' && status !== 'cancelling' && !isAsking(latchkey, view)
}
