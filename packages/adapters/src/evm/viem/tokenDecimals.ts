import { type Client, erc20Abi, type Hex } from 'viem'
import { call } from 'viem/actions'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'

/** Reads a token's decimals. Resolves to `undefined` if there is no token, or if its contract does not report them. */
export async function readTokenDecimals(client: Client, token: string): Promise<number | undefined> {
  const request = { abi: erc20Abi, functionName: 'decimals' } as const
  const { data } = await call(client, { to: token as Hex, data: encodeFunctionData(request) })
  if (!data || data.length < 66) return undefined
  return decodeFunctionResult({ ...request, data })
}
