import type { CryptoEnvironment } from '../cryptoEnvironment.ts'
import type { Addresses } from '../vaultRecord.ts'
import { deriveSegwitAddress, deriveTaprootAddress } from './bip122.ts'
import { deriveCosmosAddress } from './cosmos.ts'
import { deriveEip155Address } from './eip155.ts'
import { derivePolkadotAddress } from './polkadot.ts'
import type { RootSecret } from './rootSecret.ts'
import { deriveSolanaAddress } from './solana.ts'

/** Derives a vault's addresses in all five namespaces. When a vault is created, they are stored in its record. */
export async function deriveAddresses(environment: CryptoEnvironment, root: RootSecret): Promise<Addresses> {
  return {
    eip155: deriveEip155Address(root),
    solana: deriveSolanaAddress(root),
    bip122: deriveSegwitAddress(root),
    bip122Taproot: deriveTaprootAddress(root),
    cosmos: deriveCosmosAddress(root),
    polkadot: await derivePolkadotAddress(environment, root),
  }
}
