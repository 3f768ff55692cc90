import type { ChainId } from '@latchkey/protocol/caip'
import { eip155Signer } from '@latchkey/vault/signers/eip155'
import type { Hex } from 'viem'
import { serializeErc6492Signature } from 'viem/utils'
import type { FrameContext } from '../frameContext.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import { getSafe, safeMessageHash, safeModule } from './safe.ts'
import { entryPoint07, entryPoint08, getCode } from './smartAccount.ts'

/**
 * Signs `hash` for the Safe after the user has approved the content. Returns an ERC-1271 signature if the Safe is deployed, and
 * otherwise an ERC-6492 signature that includes the deployment.
 */
export async function signWithSafe(
  { rpc }: FrameContext,
  open: OpenedWallet,
  { chain, hash }: { chain: ChainId; hash: Hex },
): Promise<Hex> {
  // The wallet's own addresses are always valid hex.
  const { address, factory, factoryData } = getSafe(open.addresses.eip155 as Hex)
  const code = await getCode(rpc, chain, address)
  const chainId = Number(chain.slice('eip155:'.length))
  const signature = await eip155Signer(open.vault).sign({ hash: safeMessageHash({ hash, safe: address, chainId }) })
  if (code !== '0x') return signature
  return serializeErc6492Signature({ address: factory, data: factoryData, signature })
}

/**
 * Returns the contracts that treat a signature made with `key` as an instruction for its accounts. These are the key's own
 * address (with EIP-7702 code), its Safe, the Safe's module and the entry points. Signing typed data for one of them could
 * authorize a transaction that was never shown to the user.
 */
export function ownContracts(key: string): readonly string[] {
  // The wallet's own addresses are always valid hex.
  return [key, getSafe(key as Hex).address, safeModule, entryPoint07, entryPoint08]
}
