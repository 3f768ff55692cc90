import type { ChainId } from '@latchkey/protocol/caip'
import type { Hex } from 'viem'
import { serializeErc6492Signature } from 'viem/utils'
import type { House } from '../house.ts'
import { eip155Signer } from '../keys/signers/eip155.ts'
import type { OpenWallet } from '../wallet.ts'
import { codeOf } from './acting.ts'
import { safeMessageHash, safeOf } from './safe.ts'

/**
 * The Safe's yes to `hash`, whose meaning the visitor has read: for ERC-1271 where the Safe stands, and with the way to put it there
 * (ERC-6492) where it does not yet.
 */
export async function signWithSafe(
  { rpc }: House,
  open: OpenWallet,
  { chain, hash }: { chain: ChainId; hash: Hex },
): Promise<Hex> {
  // An address of our own making.
  const { address, factory, factoryData } = safeOf(open.addresses.eip155 as Hex)
  const code = await codeOf(rpc, chain, address)
  const chainId = Number(chain.slice('eip155:'.length))
  const signature = await eip155Signer(open.vault).sign({ hash: safeMessageHash({ hash, safe: address, chainId }) })
  if (code !== '0x') return signature
  return serializeErc6492Signature({ address: factory, data: factoryData, signature })
}
