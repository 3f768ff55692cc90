import type { ConnectorInfo, QueryResult, SignInSession, SignInState } from '@latchkey/core'
import type { Eip1193Provider, NativeBalance } from '@latchkey/core/adapter'
import type { AccountId, ChainId } from '@latchkey/protocol/caip'
import type { Messages } from '../i18n/messages.ts'
import type { LatchkeyProviderProps } from '../LatchkeyProvider.tsx'
import type { useAccount } from './useAccount.ts'
import type { useBalance } from './useBalance.ts'
import type { useProvider } from './useProvider.ts'
import type { useSignIn } from './useSignIn.ts'
import type { useWalletInfo } from './useWalletInfo.ts'

// Compile-time assertions about the hooks' types. This file is never executed.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Holds<Promise extends true> = Promise

type Evm = ReturnType<typeof useAccount<'eip155'>>
type Connected = Extract<Evm, { status: 'connected' }>
type Gone = Extract<Evm, { status: 'disconnected' | 'connecting' }>
type Again = Extract<Evm, { status: 'reconnecting' }>
type SignedIn = ReturnType<typeof useSignIn>

/** Every element must be `true`, otherwise type checking fails. */
export type Promises = [
  Holds<Same<Connected['address'], string>>,
  Holds<Same<Connected['account'], AccountId<'eip155'>>>,
  Holds<Same<Connected['chain'], ChainId<'eip155'>>>,
  Holds<Same<Gone['address'], undefined>>,
  Holds<Same<Again['address'], string | undefined>>,
  Holds<Same<Evm['status'], 'disconnected' | 'connecting' | 'reconnecting' | 'connected'>>,
  Holds<Same<ReturnType<typeof useBalance>, QueryResult<NativeBalance>>>,
  Holds<Same<ReturnType<typeof useWalletInfo>, ConnectorInfo | undefined>>,
  Holds<Same<ReturnType<typeof useProvider<'eip155'>>, Eip1193Provider | undefined>>,
  Holds<Same<ReturnType<typeof useProvider<'solana'>>, unknown>>,
  Holds<Same<SignedIn['status'], SignInState['status']>>,
  Holds<Same<SignedIn['session'], SignInSession | undefined>>,
  Holds<Same<SignedIn['account'], AccountId | undefined>>,
  Holds<Same<ReturnType<SignedIn['signIn']>, Promise<SignInSession>>>,
  Holds<Same<ReturnType<SignedIn['signOut']>, Promise<void>>>,
  // A host can override individual messages, and must pass either an instance or options, but not both.
  Holds<Same<LatchkeyProviderProps['messages'], Partial<Messages> | undefined>>,
  Holds<{ options: object; latchkey: never } extends LatchkeyProviderProps ? true : false>,
]
