import { verifiersFor } from '@latchkey/protocol/verify'
import { callThrough } from '@latchkey/protocol/verify/eip155'
import { createSignIn, memoryReplayStore, type SignIn } from '@latchkey/server/sign-in'

export const signIn: SignIn = createSignIn({
  origins: ['https://shop.example'],
  secret: process.env.SIGN_IN_SECRET ?? '',
  verifiers: verifiersFor(['eip155', 'solana'], {
    // Use a node of the requested chain: on other chains, the same address can be a different contract.
    call: callThrough({ rpcUrl: (chain) => (chain === 'eip155:1' ? process.env.RPC_URL : undefined) }),
  }),
  // For a single instance. Several instances need a shared store, whose `markUsed` inserts the ID and returns whether it is new.
  replayStore: memoryReplayStore(),
})
