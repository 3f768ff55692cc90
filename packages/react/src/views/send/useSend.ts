import type { Latchkey, Send, SendState } from '@latchkey/core'
import { type FeatureAccess, useFeature } from '../useFeature.ts'

const load = (latchkey: Latchkey): Promise<Send | undefined> => latchkey.send()

/** Returns the form for sending tokens. Its code is loaded on first use. */
export function useSend(): FeatureAccess<Send, SendState> {
  return useFeature(load)
}
