import type { Latchkey, Swap, SwapState } from '@latchkey/core'
import { useEffect } from 'react'
import type { Source } from '../../i18n/messages.ts'
import { type Translator, useTranslations } from '../../i18n/useTranslations.ts'
import { type FeatureAccess, useLazyFeature } from '../useLazyFeature.tsx'
import { swapMessages } from './swapMessages.ts'

const load = (latchkey: Latchkey): Promise<Swap | undefined> => latchkey.swap()

/** Returns the swap feature. Its code is loaded on first use. The quote is kept up to date while the view is displayed. */
export function useSwap(): FeatureAccess<Swap, SwapState> {
  const access = useLazyFeature(load)
  const swap = access.status === 'ready' ? access.feature : undefined
  useEffect(() => swap?.watch(), [swap])
  return access
}

/** The translator for the messages of swaps. */
export type SwapTranslator = Translator<Source & typeof swapMessages>

/** Returns the translator for the messages of swaps. */
export function useSwapTranslations(): SwapTranslator {
  return useTranslations(swapMessages)
}
