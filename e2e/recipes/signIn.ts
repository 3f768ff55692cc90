import { createSignIn, memoryReplayStore, type SignIn } from '@latchkey/siwx'
import { callThrough, eip155Verifier } from '@latchkey/siwx/verify/eip155'
import { solanaVerifier } from '@latchkey/siwx/verify/solana'

export const signIn: SignIn = createSignIn({
  origins: ['https://shop.example'],
  secret: process.env.SIGN_IN_SECRET ?? '',
  verifiers: {
    eip155: eip155Verifier({
      // Use a node of the requested chain: on other chains, the same address can be a different contract.
      call: callThrough({ rpcUrl: (chain) => (chain === 'eip155:1' ? process.env.RPC_URL : undefined) }),
    }),
    solana: solanaVerifier(),
  },
  // For a single instance. Several instances need a shared store, whose `markUsed` inserts the ID and returns whether it is new.
  replayStore: memoryReplayStore(),
})
