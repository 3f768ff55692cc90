import type { ConnectorContext, SignInOnLogin } from '@latchkey/core/adapter'
import { type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import type { FrameUser } from '@latchkey/protocol/frame/messages'
import type { EmbeddedFrame } from './embeddedFrame.ts'
import { siwxOf } from './prepareSignIn.ts'
import { confirmMs } from './walletRequests.ts'

/** If GET_USER takes longer than this, our frame probably needs user input first: recovery, or approval on another device. */
const askingMs = 2_000
/** The same timeout for a login with a sign-in, for which the frame prompts as soon as the wallet is open. */
const signInMs = 600

/** Requests the logged-in user on `chain` (GET_USER). Our frames may have to be displayed for this, unless it is `silent`. */
export async function requestUser<Result>({
  frame,
  host,
  chain,
  rpcUrl,
  signIn,
  silent = false,
  signal,
  received,
}: {
  readonly frame: Pick<EmbeddedFrame, 'mount' | 'show'>
  readonly host: Pick<ConnectorContext, 'accountType' | 'clock'>
  readonly chain: ChainId
  readonly rpcUrl: string | undefined
  readonly signIn?: SignInOnLogin | undefined
  readonly silent?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Uses the response. `hide` closes the frame, which otherwise happens at the end. */
  received(user: FrameUser, hide: () => void): Promise<Result>
}): Promise<Result> {
  const { channel } = frame.mount()
  const { clock } = host
  const controller = new AbortController()
  // Only our frames, which use a port, may need to be displayed for this.
  const canShow = !silent && channel.speaks === 'port'
  let id: string | undefined
  let hide = () => {}
  let cancelConfirm = () => {}
  const stop = () => {
    if (canShow && id !== undefined) channel.notify('RPC_ABORT', { id })
    controller.abort()
  }
  const dismissed = () => {
    // The frame no longer needs to prompt for this.
    channel.notify('RPC_ABORT', undefined)
    hide()
    // The user is logged in even without signing in: the frame responds without a signature.
    if (signIn) cancelConfirm = clock.after(confirmMs, stop)
    else controller.abort()
  }
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  const cancelShow = canShow
    ? clock.after(signIn ? signInMs : askingMs, () => (hide = frame.show(dismissed)))
    : () => {}
  try {
    const user = await channel.ask(
      'GET_USER',
      {
        chainId: chain,
        preferredAccountType: host.accountType(namespaceOf(chain)),
        ...(rpcUrl !== undefined && { rpcUrl }),
        ...(signIn && { siwxMessage: siwxOf(signIn) }),
      },
      {
        signal: controller.signal,
        sent(sentId) {
          id = sentId
        },
      },
    )
    return await received(user, () => hide())
  } finally {
    cancelShow()
    cancelConfirm()
    hide()
    signal?.removeEventListener('abort', stop)
  }
}
