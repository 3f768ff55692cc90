import type { Namespace } from '@latchkey/protocol/caip'
import type { SignatureVerifier, SignatureVerifiers } from '../message/signInTypes.ts'
import type { ContractCall } from './eip155.ts'

const verifiers: Readonly<Record<Namespace, (call?: ContractCall) => Promise<SignatureVerifier>>> = {
  async eip155(call) {
    const { eip155Verifier } = await import('./eip155.ts')
    return eip155Verifier({
      call,
      undeployed: async (params) => (await import('./erc6492.ts')).verifyErc6492(params),
    })
  },
  // #region generated: families (npm run generate)
  solana: async () => (await import('./solana.ts')).solanaVerifier(),
  polkadot: async () => (await import('./polkadot.ts')).polkadotVerifier(),
  bip122: async () => (await import('./bip122.ts')).bip122Verifier(),
  cosmos: async () => (await import('./cosmos.ts')).cosmosVerifier(),
  // #endregion
}

/**
 * Returns verifiers for the given namespaces. Each verifier is loaded on first use. Bundlers resolve the libraries for all five
 * namespaces, which are optional peer dependencies. If you have not installed all of them, import each verifier from
 * `@latchkey/siwx/verify/<namespace>`.
 *
 * @example
 * const verifiers = verifiersFor(['eip155', 'solana'], { call: callThrough({ rpcUrl: () => 'https://rpc.example.com' }) })
 */
export function verifiersFor(
  families: readonly Namespace[],
  {
    call,
  }: {
    /** Calls contracts for accounts that are contracts. If absent, only keys can sign on eip155. */
    readonly call?: ContractCall | undefined
  } = {},
): SignatureVerifiers {
  const lazy =
    (family: Namespace): SignatureVerifier =>
    async (signed) =>
      (await verifiers[family](call))(signed)
  return Object.fromEntries(families.map((family) => [family, lazy(family)]))
}
