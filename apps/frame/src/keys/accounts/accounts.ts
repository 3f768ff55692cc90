import type { Machine } from '../ports.ts'
import type { Addresses } from '../record.ts'
import { segwitAddress, taprootAddress } from './bip122.ts'
import { cosmosAddress } from './cosmos.ts'
import { eip155Address } from './eip155.ts'
import { polkadotAddress } from './polkadot.ts'
import type { Root } from './root.ts'
import { solanaAddress } from './solana.ts'

/** The addresses of a vault in all five namespaces: the golden record that is made once and compared ever after. */
export async function addressesOf(machine: Machine, root: Root): Promise<Addresses> {
  return {
    eip155: eip155Address(root),
    solana: solanaAddress(root),
    bip122: segwitAddress(root),
    bip122Taproot: taprootAddress(root),
    cosmos: cosmosAddress(root),
    polkadot: await polkadotAddress(machine, root),
  }
}
