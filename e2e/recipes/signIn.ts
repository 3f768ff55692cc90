import { verifiersFor } from '@latchkey/protocol/verify'
import { callThrough } from '@latchkey/protocol/verify/eip155'
import { createSignIn, memorySpentIds, type SignIn } from '@latchkey/server/sign-in'

export const signIn: SignIn = createSignIn({
  origins: ['https://shop.example'],
  secret: process.env.SIGN_IN_SECRET ?? '',
  verifiers: verifiersFor(['eip155', 'solana'], { call: callThrough({ rpcUrl: () => process.env.RPC_URL }) }),
  // For one instance; several share a store of yours: `spend` inserts, and says whether it was the first.
  spent: memorySpentIds(),
})
