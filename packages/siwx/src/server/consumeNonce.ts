import type { PresentedNonce } from './presentedTokens.ts'
import type { ReplayStore } from './replayStore.ts'

/**
 * Marks a sign-in nonce as used until it expires. Resolves to `false` if it has been used before. Of several concurrent calls with
 * the same nonce, exactly one resolves to `true`.
 */
export function consumeNonce(
  { nonce, exp }: Pick<PresentedNonce, 'nonce' | 'exp'>,
  replayStore: Pick<ReplayStore, 'markUsed'>,
): Promise<boolean> {
  return replayStore.markUsed(`nonce ${nonce}`, exp * 1000)
}
