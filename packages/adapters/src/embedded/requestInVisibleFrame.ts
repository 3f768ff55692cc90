import { frameTexts, type MethodParams, type MethodResult } from '@latchkey/protocol/frame/messages'
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { EmbeddedFrame } from './embeddedFrame.ts'

/** Sends a request that the user answers in the frame, and displays the frame until it responds. */
export async function requestInVisibleFrame<Name extends 'CONNECT_PASSKEY' | 'CONNECT_WINDOW'>(
  frame: Pick<EmbeddedFrame, 'mount' | 'show'>,
  name: Name,
  payload: MethodParams<Name>,
  signal: AbortSignal | undefined,
): Promise<MethodResult<Name>> {
  const { channel } = frame.mount()
  const controller = new AbortController()
  const stop = () => controller.abort()
  const cancel = () => {
    channel.notify('RPC_ABORT', undefined)
    stop()
  }
  signal?.addEventListener('abort', cancel, { once: true })
  if (signal?.aborted) stop()
  const hide = frame.show(cancel)
  try {
    return await channel.ask(name, payload, { signal: controller.signal }).catch((error: unknown) => {
      // If the user declined, reject with a separate error code.
      if (toLatchkeyError(error).message.includes(frameTexts.rejected))
        throw new LatchkeyError('user/rejected', { request: name })
      throw error
    })
  } finally {
    hide()
    signal?.removeEventListener('abort', cancel)
  }
}
