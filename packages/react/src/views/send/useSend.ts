import type { Latchkey, Send, SendState } from '@latchkey/core'
import { type FeatureAccess, useLazyFeature } from '../useLazyFeature.tsx'

const loadSend = (latchkey: Latchkey): Promise<Send | undefined> => latchkey.send()

/** Returns the form for sending tokens. Its code is loaded on first use. */
export function useSend(): FeatureAccess<Send, SendState> {
  return useLazyFeature(loadSend)
}
