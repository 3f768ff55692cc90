import { type LocalChain, testAccounts } from '@latchkey/testing'
import { deployNameService } from '@latchkey/testing/node'
import { privateKeyToAccount } from 'viem/accounts'

/** ENS on a local chain. */
export interface LocalEns {
  /** The domain below which users can register names with the server, such as `bakery.eth` for `alice.bakery.eth`. */
  readonly zone: string
  /** A name in ENS, and the address that it resolves to. */
  readonly example: { readonly name: string; readonly address: `0x${string}` }
  /** The ENS contract that clients call. It also resolves the server's names, through the server's gateway. */
  readonly universalResolver: `0x${string}`
}

/** The domain of the server's names. */
export const localNamesZone = 'bakery.eth'

/** The key that signs the records of the server's names. It belongs to the eighth account of the test accounts' mnemonic. */
export const localResolverKey = '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356'

/**
 * Deploys ENS to a local chain, and registers a name for a test account and the domain of the server's names. `server` is the
 * server's origin. Resolves to `undefined` if the bytecode of ENS could not be downloaded.
 */
export async function deployLocalEns({
  chain,
  server,
  say,
}: {
  chain: LocalChain
  server: string
  say: (line: string) => void
}): Promise<LocalEns | undefined> {
  try {
    const ens = await deployNameService({ chain, say })
    const example = { name: 'marta.eth', address: testAccounts[3].address }
    await ens.register(example.name, { address: example.address })
    await ens.registerOffchain(localNamesZone, {
      url: `${server}/v1/profile/gateway/{sender}/{data}`,
      signer: privateKeyToAccount(localResolverKey).address,
    })
    return { zone: localNamesZone, example, universalResolver: ens.universalResolver }
  } catch (error) {
    say(`The local chain has no ENS: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}
