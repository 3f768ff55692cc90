import type { Address, Client, Hex } from 'viem'

/** Reads the code at an address. `0x` if there is none. */
export async function readCode(client: Client, address: string): Promise<Hex> {
  const code = await client.request({ method: 'eth_getCode', params: [address as Address, 'latest'] })
  // Validate the response, which comes from the node or wallet.
  if (typeof code !== 'string' || !/^0x[0-9a-f]*$/i.test(code)) throw new TypeError('The node returned invalid code.')
  return code
}

/** Whether an address belongs to a contract. The code of an EOA can be a reference to a contract (EIP-7702). */
export async function isContract(client: Client, address: string): Promise<boolean> {
  const code = await readCode(client, address)
  return code !== '0x' && !/^0xef0100[0-9a-f]{40}$/i.test(code)
}
