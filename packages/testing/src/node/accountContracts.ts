import { encodeDeployData, encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem'
import type { LocalChain } from '../localChain.ts'
import { testAccounts } from '../testAccounts.ts'
import { create2Deployer, createContractDeployer } from './contractDeployer.ts'
import { testPaymasterBytecode } from './contracts/testPaymasterBytecode.ts'
import { pinnedArtifacts } from './pinnedArtifacts.ts'

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
const artifacts: Readonly<Record<ContractName, readonly [keyof typeof packages, string]>> = {
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

/** Safe's CREATE2 deployer, which has the same code as Arachnid's. */
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
  const {
    address: signer,
    create2: create,
    send,
    code,
    setCode,
  } = createContractDeployer({
    chain,
    privateKey: testAccounts[4].privateKey,
  })

  await create(codes.entryPoint07, { salt: '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3' })
  await create(codes.entryPoint08, { salt: '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9' })
  await create(codes.simple7702)
  await setCode(safeDeployer, await code(create2Deployer))
  for (const init of [codes.safe, codes.proxyFactory, codes.multiSend, codes.multiSendCallOnly])
    await create(init, { from: safeDeployer })

  // The package was compiled with different settings from the canonical deployment, so its CREATE2 address differs. The code is
  // copied to the canonical address.
  const module = await create(
    encodeDeployData({ abi: parseAbi(['constructor(address)']), bytecode: codes.module, args: [entryPoints['0.7']] }),
  )
  const setup = await create(codes.moduleSetup)
  await setCode('0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226', await code(module))
  await setCode('0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47', await code(setup))

  const paymaster = async (entryPoint: Hex): Promise<Hex> => {
    const address = await create(
      encodeDeployData({
        abi: parseAbi(['constructor(address, address)']),
        bytecode: testPaymasterBytecode,
        args: [entryPoint, signer],
      }),
    )
    const data = encodeFunctionData({ abi: parseAbi(['function deposit() payable']) })
    await send({ to: address, data, value: parseEther('100') })
    return address
  }
  return {
    signer,
    addresses: { '0.7': await paymaster(entryPoints['0.7']), '0.8': await paymaster(entryPoints['0.8']) },
  }
}

/** Resolves to the creation code of each contract. Downloads the code through npm if it is not cached. */
export async function accountContracts({ say = () => {} }: { say?: (line: string) => void } = {}): Promise<Codes> {
  return pinnedArtifacts({
    cacheFile: 'account-contracts-1.json',
    packages,
    artifacts,
    announcement: 'Downloading the smart account contracts (first use only, 3 MB)',
    say,
  })
}
