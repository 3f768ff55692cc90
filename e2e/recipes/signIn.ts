import { verifiersFor } from '@latchkey/protocol/verify'
import { callThrough } from '@latchkey/protocol/verify/eip155'
import { createSignIn, memoryReplayStore, type SignIn } from '@latchkey/server/sign-in'

export const signIn: SignIn = createSignIn({
  origins: ['https://shop.example'],
  secret: process.env.SIGN_IN_SECRET ?? '',
  verifiers: verifiersFor(['eip155', 'solana'], {
    // A node answers for its own chain alone: elsewhere the same address may be another's contract.
    call: callThrough({ rpcUrl: (chain) => (chain === 'eip155:1' ? process.env.RPC_URL : undefined) }),
  }),
  // For one instance; several share a store of yours: `spend` inserts, and says whether it was the first.
  replayStore: memoryReplayStore(),
})
