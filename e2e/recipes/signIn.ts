import { createSignIn, memoryReplayStore, type SignIn } from '@latchkey/siwx'
import { callThrough, eip155Verifier } from '@latchkey/siwx/verify/eip155'
import { solanaVerifier } from '@latchkey/siwx/verify/solana'

export const signIn: SignIn = createSignIn({
  origins: ['https://shop.example'],
  secret: process.env.SIGN_IN_SECRET ?? '',
  verifiers: {
    eip155: eip155Verifier({
      // Use a node for the requested chain, because the same address can be a different contract on another chain.
      call: callThrough({ rpcUrl: (chain) => (chain === 'eip155:1' ? process.env.RPC_URL : undefined) }),
    }),
    solana: solanaVerifier(),
  },
  // `memoryReplayStore` only works for a single instance. With several instances, use a shared store whose `markUsed` inserts
  // the ID and returns whether the ID is new.
  replayStore: memoryReplayStore(),
})
