import type { ChainId } from '@latchkey/protocol/caip'
import type { Hex } from 'viem'
import { serializeErc6492Signature } from 'viem/utils'
import type { OpenedWallet } from '../embeddedWallet.ts'
import type { FrameContext } from '../frameContext.ts'
import { eip155Signer } from '../keys/signers/eip155.ts'
import { getSafe, safeMessageHash, safeModule } from './safe.ts'
import { entryPoint07, entryPoint08, getCode } from './smartAccount.ts'

/**
 * The Safe's yes to `hash`, whose meaning the visitor has read: for ERC-1271 where the Safe stands, and with the way to put it there
 * (ERC-6492) where it does not yet.
 */
export async function signWithSafe(
  { rpc }: FrameContext,
  open: OpenedWallet,
  { chain, hash }: { chain: ChainId; hash: Hex },
): Promise<Hex> {
  // An address of our own making.
  const { address, factory, factoryData } = getSafe(open.addresses.eip155 as Hex)
  const code = await getCode(rpc, chain, address)
  const chainId = Number(chain.slice('eip155:'.length))
  const signature = await eip155Signer(open.vault).sign({ hash: safeMessageHash({ hash, safe: address, chainId }) })
  if (code !== '0x') return signature
  return serializeErc6492Signature({ address: factory, data: factoryData, signature })
}

/**
 * The contracts to which a signature of `key` is an order of its own accounts: its address (with code), its Safe, the Safe's module, the
 * entry points. A page that had one signed as "data" would have a transaction that nobody was shown.
 */
export function ownContracts(key: string): readonly string[] {
  // An address of our own making.
  return [key, getSafe(key as Hex).address, safeModule, entryPoint07, entryPoint08]
}
