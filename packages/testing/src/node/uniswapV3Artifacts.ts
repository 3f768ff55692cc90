import type { Hex } from 'viem'
import { type PinnedPackage, pinnedArtifacts } from './pinnedArtifacts.ts'

/** The packages that contain the bytecode. They are downloaded on first use and never shipped, because of their licenses. */
const packages = {
  core: {
    name: '@uniswap/v3-core',
    version: '1.0.1',
    integrity: 'sha512-7pVk4hEm00j9tc71Y9+ssYpO6ytkeI0y7WE9P6UcmNzhxPePwyAxImuhVsTqWK9YFvzgtvzJHi64pBl4jUzKMQ==',
  },
  periphery: {
    name: '@uniswap/v3-periphery',
    version: '1.4.4',
    integrity: 'sha512-S4+m+wh8HbWSO3DKk4LwUCPZJTpCugIsHrWR86m/OrUyvSqGDTXKFfc2sMuGXCZrD1ZqO3rhQsKgdWg3Hbb2Kw==',
  },
  router: {
    name: '@uniswap/swap-router-contracts',
    version: '1.3.1',
    integrity: 'sha512-mh/YNbwKb7Mut96VuEtL+Z5bRe0xVIbjjiryn+iMMrK2sFKhR4duk/86mEz0UO5gSx4pQIw9G5276P5heY/7Rg==',
  },
} as const satisfies Record<string, PinnedPackage>

type ContractName = 'factory' | 'positionManager' | 'quoter' | 'router'

const contracts = 'package/artifacts/contracts'
const artifacts: Readonly<Record<ContractName, readonly [keyof typeof packages, string]>> = {
  factory: ['core', `${contracts}/UniswapV3Factory.sol/UniswapV3Factory.json`],
  positionManager: ['periphery', `${contracts}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`],
  quoter: ['periphery', `${contracts}/lens/QuoterV2.sol/QuoterV2.json`],
  router: ['router', `${contracts}/SwapRouter02.sol/SwapRouter02.json`],
}

/** Resolves to the creation code of the Uniswap V3 contracts. Downloads the code through npm if it is not cached. */
export async function uniswapV3Artifacts({
  say = () => {},
}: {
  say?: (line: string) => void
} = {}): Promise<Readonly<Record<ContractName, Hex>>> {
  return pinnedArtifacts({
    cacheFile: 'exchange-contracts-1.json',
    packages,
    artifacts,
    announcement: 'Downloading the contracts of the local exchange (first use only, 260 kB)',
    say,
  })
}
