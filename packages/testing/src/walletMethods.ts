import {
  type Address,
  createWalletClient,
  type Hex,
  hexToBigInt,
  http,
  isHex,
  numberToHex,
  stringToHex,
  type TypedDataDefinition,
} from 'viem'
import { type LocalChain, localChain } from './localChain.ts'
import { ProviderRpcError } from './providerRpcError.ts'
import type { WalletState } from './walletState.ts'

/** The dependencies of a scripted wallet's methods. */
export interface WalletMethodsOptions {
  readonly state: WalletState
  /** Prompts the user. Rejects with 4001 if the user declines. */
  readonly prompt: (method: string, params: unknown) => Promise<void>
  /** EIP-5792 capabilities, keyed by hex chain ID. */
  readonly capabilities: Readonly<Record<Hex, Readonly<Record<string, unknown>>>>
  readonly revocation: 'event' | 'silent' | 'unsupported'
}

type Handler = (params: unknown) => unknown

/**
 * Creates the function that handles the methods of a scripted wallet. Methods that need no wallet, such as reads, are sent to the
 * node of the active chain.
 */
export function createWalletMethods({
  state,
  prompt,
  capabilities,
  revocation,
}: WalletMethodsOptions): (method: string, params: unknown) => Promise<unknown> {
  const handlers: Readonly<Record<string, Handler>> = {
    eth_accounts: () => state.exposedAddresses(),
    eth_chainId: () => numberToHex(state.chain.id),
    net_version: () => String(state.chain.id),
    async eth_requestAccounts(params) {
      if (state.exposedAddresses().length === 0) await prompt('eth_requestAccounts', params)
      state.grant()
      return state.exposedAddresses()
    },
    async wallet_requestPermissions(params) {
      await prompt('wallet_requestPermissions', params)
      state.grant()
      return permissionsOf(state)
    },
    wallet_getPermissions: () => (state.isConnected ? permissionsOf(state) : []),
    ...(revocation !== 'unsupported' && {
      wallet_revokePermissions() {
        state.revoke({ silently: revocation === 'silent' })
        return null
      },
    }),
    wallet_getCapabilities(params) {
      state.signer(listOf(params)[0])
      return capabilities
    },
    async personal_sign(params) {
      const [message, address] = listOf(params)
      const account = state.signer(address)
      await prompt('personal_sign', params)
      const text = String(message)
      return account.signMessage({ message: { raw: isHex(text) ? text : stringToHex(text) } })
    },
    async eth_signTypedData_v4(params) {
      const [address, data] = listOf(params)
      const account = state.signer(address)
      await prompt('eth_signTypedData_v4', params)
      return account.signTypedData((typeof data === 'string' ? JSON.parse(data) : data) as TypedDataDefinition)
    },
    async eth_sendTransaction(params) {
      const transaction = (listOf(params)[0] ?? {}) as TransactionRequest
      const account = state.signer(transaction.from ?? state.account.address)
      await prompt('eth_sendTransaction', params)
      const { chain } = state
      const client = createWalletClient({ account, chain, transport: http(chain.rpcUrls.default.http[0]) })
      const { to = null, value, data, gas } = transaction
      return client.sendTransaction({
        to,
        ...(value === undefined ? {} : { value: hexToBigInt(value) }),
        ...(data === undefined ? {} : { data }),
        ...(gas === undefined ? {} : { gas: hexToBigInt(gas) }),
      })
    },
    async wallet_switchEthereumChain(params) {
      const chain = state.findChain(Number((listOf(params)[0] as { chainId?: string } | undefined)?.chainId))
      if (!chain) throw new ProviderRpcError(4902, 'Unrecognized chain ID. Try adding the chain first.')
      if (chain.id !== state.chain.id) await prompt('wallet_switchEthereumChain', params)
      state.switchChain(chain)
      return null
    },
    async wallet_addEthereumChain(params) {
      const chain = readAddedChain(listOf(params)[0])
      await prompt('wallet_addEthereumChain', params)
      state.addChain(state.findChain(chain.id) ?? chain)
      return null
    },
    async wallet_watchAsset(params) {
      await prompt('wallet_watchAsset', params)
      return true
    },
  }

  return async (method, params) => {
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
    if (handler) return handler(params)
    if (method.startsWith('wallet_') || method === 'eth_sign' || method === 'eth_subscribe')
      throw new ProviderRpcError(4200, `The wallet does not support ${method}.`)
    return requestNode(state.chain, method, params)
  }
}

interface TransactionRequest {
  readonly from?: Address
  readonly to?: Address
  readonly value?: Hex
  readonly data?: Hex
  readonly gas?: Hex
}

function listOf(params: unknown): readonly unknown[] {
  return Array.isArray(params) ? params : []
}

function permissionsOf({ accounts }: WalletState): unknown[] {
  const value = accounts.map(({ address }) => address)
  return [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value }] }]
}

function readAddedChain(input: unknown): LocalChain {
  const { chainId, chainName, rpcUrls } = (input ?? {}) as { chainId?: string; chainName?: string; rpcUrls?: string[] }
  const id = Number(chainId)
  const rpcUrl = rpcUrls?.[0]
  if (!Number.isSafeInteger(id) || !rpcUrl) throw new ProviderRpcError(-32602, 'Invalid parameters.')
  return localChain({ id, rpcUrl, ...(chainName ? { name: chainName } : {}) })
}

/** Sends a request to the node of `chain`. */
async function requestNode(chain: LocalChain, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(chain.rpcUrls.default.http[0], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] }),
  })
  const { result, error } = (await response.json()) as {
    result?: unknown
    error?: { code: number; message: string; data?: unknown }
  }
  if (error) throw new ProviderRpcError(error.code, error.message, error.data)
  return result
}
