import type { Address } from 'viem'

/** A prompt that the wallet would show to the user in its own window. */
export interface Prompt {
  /** The JSON-RPC method that requires approval, such as `personal_sign`. */
  readonly method: string
  /** The parameters of the request, as the page passed them. */
  readonly params: unknown
  /** The wallet's active account, which can differ from the account in `params`. */
  readonly account: Address
  /** The wallet's active chain (EIP-155). */
  readonly chainId: number
}

/** The prompts of a wallet, and how they are decided. */
export interface Prompts {
  /** Resolves to whether the prompt is approved. */
  decide(prompt: Prompt): Promise<boolean>
  /** The prompts that are pending because of `hold`. */
  readonly waiting: readonly Prompt[]
  approve(): void
  /** Declines all prompts from now on, or only those of one method. */
  decline(method?: string): void
  hold(): void
  /** Decides the pending prompts, and stops holding new ones. */
  release(decision: 'approve' | 'decline'): void
  /** Discards the pending prompts, so that they are never decided. */
  abandon(): void
}

/** Creates the prompts of a wallet. Prompts are approved by default, or decided by `ask`. */
export function createPrompts(ask: (prompt: Prompt) => Promise<boolean> = async () => true): Prompts {
  let mode: 'approve' | 'decline' | 'hold' = 'approve'
  let declined: ReadonlySet<string> = new Set()
  let held: { prompt: Prompt; decide: (isApproved: boolean) => void }[] = []
  return {
    async decide(prompt) {
      if (declined.has(prompt.method)) return false
      if (mode === 'hold')
        return new Promise((decide) => {
          held.push({ prompt, decide })
        })
      return mode === 'approve' && (await ask(prompt))
    },
    get waiting() {
      return held.map(({ prompt }) => prompt)
    },
    approve() {
      mode = 'approve'
      declined = new Set()
    },
    decline(method) {
      if (method) declined = new Set([...declined, method])
      else mode = 'decline'
    },
    hold() {
      mode = 'hold'
    },
    release(decision) {
      mode = 'approve'
      const waiting = held
      held = []
      for (const { decide } of waiting) decide(decision === 'approve')
    },
    abandon() {
      held = []
    },
  }
}
