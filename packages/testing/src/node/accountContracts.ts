import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  concat,
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  parseAbi,
  parseEther,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { LocalChain } from '../localChain.ts'
import { testAccounts } from '../testAccounts.ts'
import { cacheFolder } from './anvilBinary.ts'
import { testPaymasterBytecode } from './contracts/testPaymasterBytecode.ts'
import { pinnedPackage } from './pinnedPackage.ts'
import { fileInTarball } from './untar.ts'

/** The supported ERC-4337 entry points: 0.7 for Safe accounts, 0.8 for EIP-7702 accounts. */
export const entryPoints = {
  '0.7': '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  '0.8': '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
} as const satisfies Record<string, Hex>

/** The paymasters, one for each entry point. They sponsor every user operation that `signer` has signed. */
export interface TestPaymasters {
  /** The address whose signature the paymasters require. */
  readonly signer: Hex
  /** The address of the paymaster for each version of the entry point. */
  readonly addresses: Readonly<Record<keyof typeof entryPoints, Hex>>
}

/**
 * The packages that contain the bytecode. They are downloaded on first use and never shipped, because some of them are licensed
 * under the GPL or LGPL.
 */
const packages = {
  aa07: {
    name: '@account-abstraction/contracts',
    version: '0.7.0',
    integrity: 'sha512-Bt/66ilu3u8I9+vFZ9fTd+cWs55fdb9J5YKfrhsrFafH1drkzwuCSL/xEot1GGyXXNJLQuXbMRztQPyelNbY1A==',
  },
  aa08: {
    name: '@account-abstraction/contracts',
    version: '0.8.0',
    integrity: 'sha512-8krPx/gpnoT+5xAroagVCbeA7FbUigMZWXFKKPm+oghyr29Dksssdx5sI7xGv9212i4JPaDDUGFk58dpuwVgHA==',
  },
  safe: {
    name: '@safe-global/safe-contracts',
    version: '1.4.1',
    integrity: 'sha512-fP1jewywSwsIniM04NsqPyVRFKPMAuirC3ftA/TA4X3Zc5EnwQp/UCJUU2PL/37/z/jMo8UUaJ+pnFNWmMU7dQ==',
  },
  safe4337: {
    name: '@safe-global/safe-4337',
    version: '0.3.0',
    integrity: 'sha512-PL/+GrMwfyvRru1rhDwWVMXmHqzc8afa67cUOt1CGwSmbuFzamQGSPMxt9sX4Esmoyh7ICrO5lauPWPYp1Ei1Q==',
  },
} as const

type ContractName =
  | 'entryPoint07'
  | 'entryPoint08'
  | 'simple7702'
  | 'safe'
  | 'proxyFactory'
  | 'multiSend'
  | 'multiSendCallOnly'
  | 'moduleSetup'
  | 'module'

const safe = 'package/build/artifacts/contracts'
const files: Readonly<Record<ContractName, readonly [keyof typeof packages, string]>> = {
  entryPoint07: ['aa07', 'package/artifacts/EntryPoint.json'],
  entryPoint08: ['aa08', 'package/artifacts/EntryPoint.json'],
  simple7702: ['aa08', 'package/artifacts/Simple7702Account.json'],
  safe: ['safe', `${safe}/Safe.sol/Safe.json`],
  proxyFactory: ['safe', `${safe}/proxies/SafeProxyFactory.sol/SafeProxyFactory.json`],
  multiSend: ['safe', `${safe}/libraries/MultiSend.sol/MultiSend.json`],
  multiSendCallOnly: ['safe', `${safe}/libraries/MultiSendCallOnly.sol/MultiSendCallOnly.json`],
  moduleSetup: ['safe4337', `${safe}/SafeModuleSetup.sol/SafeModuleSetup.json`],
  module: ['safe4337', `${safe}/Safe4337Module.sol/Safe4337Module.json`],
}

/** The creation code of the contracts, keyed by name. */
type Codes = Readonly<Record<ContractName, Hex>>

// Arachnid's CREATE2 deployer, which local chains include, and Safe's deployer, which has the same code.
const deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const safeDeployer = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7'

/**
 * Deploys the smart account contracts to a local chain, at their canonical addresses: entry points 0.7 and 0.8, Safe 1.4.1 with
 * its ERC-4337 module, and the EIP-7702 implementation. Also deploys a paymaster for each entry point, with a deposit of 100
 * ether.
 *
 * @example
 * const { addresses } = await deployAccountContracts({ chain: anvil.chain })
 */
export async function deployAccountContracts({
  chain,
  say = () => {},
}: {
  chain: LocalChain
  say?: (line: string) => void
}): Promise<TestPaymasters> {
  const codes = await accountContracts({ say })
  const transport = http(chain.rpcUrls.default.http[0])
  const account = privateKeyToAccount(testAccounts[4].privateKey)
  const wallet = createWalletClient({ account, chain, transport })
  const reader = createPublicClient({ chain, transport, pollingInterval: 20 })
  const hand = createTestClient({ mode: 'anvil', chain, transport })

  const create = async (init: Hex, { from = deployer, salt = zeroHash }: { from?: Hex; salt?: Hex } = {}) => {
    const address = getContractAddress({ opcode: 'CREATE2', from, salt, bytecode: init })
    if (await reader.getCode({ address })) return address
    const hash = await wallet.sendTransaction({ to: from, data: concat([salt, init]) })
    const { status } = await reader.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`The contract at ${address} was not deployed.`)
    return address
  }
  const codeAt = async (address: Hex): Promise<Hex> => (await reader.getCode({ address })) ?? '0x'

  await create(codes.entryPoint07, { salt: '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3' })
  await create(codes.entryPoint08, { salt: '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9' })
  await create(codes.simple7702)
  await hand.setCode({ address: safeDeployer, bytecode: await codeAt(deployer) })
  for (const code of [codes.safe, codes.proxyFactory, codes.multiSend, codes.multiSendCallOnly])
    await create(code, { from: safeDeployer })

  // The package was compiled with different settings from the canonical deployment, so its CREATE2 address differs. The code is
  // copied to the canonical address.
  const module = await create(
    encodeDeployData({ abi: parseAbi(['constructor(address)']), bytecode: codes.module, args: [entryPoints['0.7']] }),
  )
  const setup = await create(codes.moduleSetup)
  await hand.setCode({ address: '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226', bytecode: await codeAt(module) })
  await hand.setCode({ address: '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47', bytecode: await codeAt(setup) })

  const paymaster = async (entryPoint: Hex): Promise<Hex> => {
    const address = await create(
      encodeDeployData({
        abi: parseAbi(['constructor(address, address)']),
        bytecode: testPaymasterBytecode,
        args: [entryPoint, account.address],
      }),
    )
    const data = encodeFunctionData({ abi: parseAbi(['function deposit() payable']) })
    const hash = await wallet.sendTransaction({ to: address, data, value: parseEther('100') })
    await reader.waitForTransactionReceipt({ hash })
    return address
  }
  return {
    signer: account.address,
    addresses: { '0.7': await paymaster(entryPoints['0.7']), '0.8': await paymaster(entryPoints['0.8']) },
  }
}

/** Resolves to the creation code of each contract. Downloads the code through npm if it is not cached. */
export async function accountContracts({ say = () => {} }: { say?: (line: string) => void } = {}): Promise<Codes> {
  const file = join(cacheFolder(), 'account-contracts-1.json')
  const cached = await readFile(file, 'utf8').catch(() => undefined)
  if (cached !== undefined) return JSON.parse(cached) as Codes
  say('Downloading the smart account contracts (first use only, 3 MB)')
  await mkdir(cacheFolder(), { recursive: true })
  const scratch = await mkdtemp(join(cacheFolder(), 'fetch-'))
  try {
    const tarballs = new Map<string, Uint8Array>()
    for (const [key, pinned] of Object.entries(packages)) tarballs.set(key, await pinnedPackage({ ...pinned, scratch }))
    const codes = Object.fromEntries(
      Object.entries(files).map(([name, [from, path]]) => [name, bytecodeIn(tarballs.get(from), path)]),
    )
    const partial = join(scratch, 'codes.json')
    await writeFile(partial, JSON.stringify(codes))
    await rename(partial, file)
    return codes as Codes
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function bytecodeIn(tarball: Uint8Array | undefined, path: string): Hex {
  const bytes = tarball && fileInTarball(tarball, path)
  const artifact: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes))
  if (typeof artifact === 'object' && artifact !== null && 'bytecode' in artifact) {
    const { bytecode } = artifact
    if (typeof bytecode === 'string' && bytecode.startsWith('0x')) return bytecode as Hex
  }
  throw new Error(`${path} contains no bytecode.`)
}
