import {
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  type Hex,
  http,
  labelhash,
  namehash,
  parseAbi,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { LocalChain } from '../localChain.ts'
import { testOffchainResolverBytecode } from './contracts/testOffchainResolverBytecode.ts'
import { testUniversalResolverBytecode } from './contracts/testUniversalResolverBytecode.ts'
import { type PinnedPackage, pinnedArtifacts } from './pinnedArtifacts.ts'

/** ENS on a local chain. */
export interface TestNameService {
  /** The contract that clients call, in the format of `ens` in the server's `CHAINS_FILE`. */
  readonly universalResolver: Hex
  /** Registers a name below `eth` or another registered name, with its records. */
  register(
    name: string,
    records?: { readonly address?: Hex; readonly texts?: Readonly<Record<string, string>> },
  ): Promise<void>
  /** Registers a name whose records, and those of all names below it, are served by a gateway (ERC-3668). */
  registerOffchain(name: string, gateway: { readonly url: string; readonly signer: Hex }): Promise<Hex>
  /** Sets the primary name of an account. Does not check that the account owns the name. */
  setPrimaryName(privateKey: Hex, name: string): Promise<void>
}

/** The packages that contain the bytecode. They are downloaded on first use and never shipped. */
const packages = {
  registry: {
    name: '@ensdomains/ens',
    version: '0.6.2',
    integrity: 'sha512-F3ALgp60HZq3rKqNig7H/rAlBB0zuz4C9q2weCoiPjSW91uvjetXhCGBU2YJCD1tyuKnO/KqTDzUN5Dc8HLlaQ==',
  },
  resolver: {
    name: '@ensdomains/resolver',
    version: '0.3.0',
    integrity: 'sha512-JbzBTzCej7t0z+KJR64AN1monclYJnt80V/dQty1xVuLB+6gN/X4dU4Weug8F8yvqFT7oQwgQg8INiJJlf9dSw==',
  },
} as const satisfies Record<string, PinnedPackage>

const registryAbi = parseAbi([
  'function setSubnodeOwner(bytes32 node, bytes32 label, address owner)',
  'function setResolver(bytes32 node, address resolver)',
])
const resolverAbi = parseAbi([
  'constructor(address registry)',
  'function setAddr(bytes32 node, address account)',
  'function setText(bytes32 node, string key, string value)',
  'function setName(bytes32 node, string name)',
])
const reverseAbi = parseAbi([
  'constructor(address registry, address resolver)',
  'function claimWithResolver(address owner, address resolver)',
  'function node(address account) view returns (bytes32)',
])
const offchainAbi = parseAbi(['constructor(string url, address signer)'])

// The seventh account of the mnemonic of the test accounts, which nothing else uses.
const deployerKey: Hex = '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e'

/** Resolves to the creation code of the contracts of ENS. Downloads the code through npm if it is not cached. */
export function ensArtifacts({
  say = () => {},
}: {
  say?: (line: string) => void
} = {}): Promise<Readonly<Record<'registry' | 'reverseRegistrar' | 'resolver', Hex>>> {
  return pinnedArtifacts({
    cacheFile: 'name-service-contracts-1.json',
    packages,
    artifacts: {
      registry: ['registry', 'package/build/contracts/ENSRegistry.json'],
      reverseRegistrar: ['registry', 'package/build/contracts/ReverseRegistrar.json'],
      resolver: ['resolver', 'package/build/contracts/PublicResolver.json'],
    },
    announcement: 'Downloading the contracts of the local name service (first use only)',
    say,
  })
}

/**
 * Deploys ENS to a local chain: its registry, public resolver and reverse registrar, and a small universal resolver. The
 * bytecode of ENS is downloaded through npm on first use.
 *
 * @example
 * const ens = await deployNameService({ chain: anvil.chain })
 * await ens.register('alice.eth', { address: alice.address, texts: { avatar: 'https://img.example/a.png' } })
 * await ens.setPrimaryName(alice.privateKey, 'alice.eth')
 */
export async function deployNameService({
  chain,
  say = () => {},
}: {
  chain: LocalChain
  say?: (line: string) => void
}): Promise<TestNameService> {
  const codes = await ensArtifacts({ say })
  const transport = http(chain.rpcUrls.default.http[0])
  const reader = createPublicClient({ chain, transport, pollingInterval: 20 })
  const walletOf = (privateKey: Hex) =>
    createWalletClient({ account: privateKeyToAccount(privateKey), chain, transport })
  const deployer = walletOf(deployerKey)
  const owner = deployer.account.address

  async function mined(sent: Promise<Hex>): Promise<Hex> {
    const receipt = await reader.waitForTransactionReceipt({ hash: await sent })
    if (receipt.status !== 'success') throw new Error(`The transaction ${receipt.transactionHash} was reverted.`)
    return receipt.contractAddress ?? '0x'
  }
  const create = (data: Hex): Promise<Hex> => mined(deployer.sendTransaction({ data }))

  const registry = await create(codes.registry)
  const resolver = await create(encodeDeployData({ abi: resolverAbi, bytecode: codes.resolver, args: [registry] }))
  const reverseRegistrar = await create(
    encodeDeployData({ abi: reverseAbi, bytecode: codes.reverseRegistrar, args: [registry, resolver] }),
  )
  const universalResolver = await create(
    encodeDeployData({ abi: resolverAbi, bytecode: testUniversalResolverBytecode, args: [registry] }),
  )
  const own = async (name: string, by: Hex = owner): Promise<void> => {
    const [label = '', ...parent] = name.split('.')
    const node = parent.length > 0 ? namehash(parent.join('.')) : zeroHash
    const args = [node, labelhash(label), by] as const
    await mined(deployer.writeContract({ address: registry, abi: registryAbi, functionName: 'setSubnodeOwner', args }))
  }
  const setResolver = (name: string, address: Hex): Promise<Hex> =>
    mined(
      deployer.writeContract({
        address: registry,
        abi: registryAbi,
        functionName: 'setResolver',
        args: [namehash(name), address],
      }),
    )
  await own('eth')
  await own('reverse')
  await own('addr.reverse', reverseRegistrar)

  return {
    universalResolver,
    async register(name, { address, texts = {} } = {}) {
      await own(name)
      await setResolver(name, resolver)
      const node = namehash(name)
      const to = { address: resolver, abi: resolverAbi } as const
      if (address) await mined(deployer.writeContract({ ...to, functionName: 'setAddr', args: [node, address] }))
      for (const [key, value] of Object.entries(texts))
        await mined(deployer.writeContract({ ...to, functionName: 'setText', args: [node, key, value] }))
    },
    async registerOffchain(name, { url, signer }) {
      await own(name)
      const args = [url, signer] as const
      const address = await create(encodeDeployData({ abi: offchainAbi, bytecode: testOffchainResolverBytecode, args }))
      await setResolver(name, address)
      return address
    },
    async setPrimaryName(privateKey, name) {
      const wallet = walletOf(privateKey)
      const account = wallet.account.address
      const to = { address: reverseRegistrar, abi: reverseAbi } as const
      await mined(wallet.writeContract({ ...to, functionName: 'claimWithResolver', args: [account, resolver] }))
      const node = await reader.readContract({ ...to, functionName: 'node', args: [account] })
      await mined(
        wallet.writeContract({ address: resolver, abi: resolverAbi, functionName: 'setName', args: [node, name] }),
      )
    },
  }
}
