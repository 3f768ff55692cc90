import type { TokenHolding } from '@latchkey/core/adapter'
import {
  type Address,
  type BaseError,
  type Client,
  ContractFunctionExecutionError,
  erc20Abi,
  HttpRequestError,
} from 'viem'
import { readContract } from 'viem/actions'

/**
 * Reads a token's name, symbol and decimals from its contract, and an account's balance of it. Resolves to `undefined` if the
 * contract is not a token. Its name and symbol are empty if it does not report them as text.
 */
export async function readTokenHolding(
  client: Client,
  { token, owner }: { readonly token: string; readonly owner: string },
): Promise<TokenHolding | undefined> {
  const contract = { address: token as Address, abi: erc20Abi }
  const [decimals, amount, name = '', symbol = ''] = await Promise.all([
    answered(readContract(client, { ...contract, functionName: 'decimals' })),
    answered(readContract(client, { ...contract, functionName: 'balanceOf', args: [owner as Address] })),
    answered(readContract(client, { ...contract, functionName: 'name' })),
    answered(readContract(client, { ...contract, functionName: 'symbol' })),
  ])
  return decimals === undefined || amount === undefined ? undefined : { name, symbol, decimals, amount }
}

/** Resolves to `undefined` if the contract does not have the function. Rejects if the node did not respond. */
async function answered<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  return reading.catch((error: unknown) => {
    const isOfContract = error instanceof ContractFunctionExecutionError && !isOfConnection(error)
    if (isOfContract) return undefined
    throw error
  })
}

function isOfConnection(error: BaseError): boolean {
  return error.walk((cause) => cause instanceof HttpRequestError || (cause as Error).name === 'TimeoutError') !== null
}
