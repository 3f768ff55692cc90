import type { House } from '../house.ts'
import { namespaceOf } from '../settings.ts'
import type { RpcAsked } from './asked.ts'

/** Answers a request that only reads: what the wallet itself knows, and everything else from the network's node. */
export async function read(house: House, { chain, method, params }: RpcAsked): Promise<unknown> {
  switch (method) {
    case 'eth_accounts': {
      const open = (await house.wallet()).opened()
      return open ? [open.addresses.eip155] : []
    }
    case 'eth_chainId':
      return `0x${Number(chain.slice('eip155:'.length)).toString(16)}`
    case 'wallet_getCapabilities':
      return {}
    default:
      return house.rpc(namespaceOf(chain) === 'solana' ? house.settings.chain('eip155') : chain, method, params)
  }
}
