import type { SessionCapabilities } from '@latchkey/core/adapter'
import { fromHex, toHex } from '@latchkey/protocol/bytes'
import { type AccountId, accountId, addressOf, chainOf, toEvmAddress } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import * as v from 'valibot'
import { toWalletError, wasDisconnected } from '../shared/walletErrors.ts'
import { hexChainId, toQuantity } from './chainId.ts'
import type { EvmSessionState } from './evmSessionState.ts'
import { transferCall } from './transferCall.ts'

const transactionHash = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i))

/** Creates all capabilities for an EVM session except `switchChain`. */
export function createEvmCapabilities({
  state,
  connectorId,
  request,
  requestSoon,
  acceptsNonce,
}: {
  readonly state: Pick<EvmSessionState, 'addresses' | 'chain' | 'hasEnded'>
  readonly connectorId: string
  request(method: string, params?: unknown): Promise<unknown>
  /** Sends a request that needs no approval, and therefore has a timeout. */
  requestSoon(method: string, params?: unknown): Promise<unknown>
  /** Whether the wallet uses the nonce of a request. Other wallets would send a second transaction instead of replacing one. */
  readonly acceptsNonce: boolean
}): Required<Pick<SessionCapabilities<'eip155'>, 'signMessage' | 'send' | 'sendTransaction' | 'capabilities'>> &
  Pick<SessionCapabilities<'eip155'>, 'replaceTransaction'> {
  const notAuthorized = () => new LatchkeyError('wallet/not-authorized', { connectorId })
  const walletError = (request: string) => (error: unknown) => {
    throw toWalletError(error, { request, connectorId })
  }
  /** Returns the address of `account`. Throws if the account does not belong to this session. */
  const ownAddress = (account: AccountId<'eip155'>): string => {
    const address = state.addresses.find((own) => own.toLowerCase() === addressOf(account).toLowerCase())
    if (!address) throw notAuthorized()
    return address
  }

  /** Asks the wallet to send a transaction of its active account on its active chain. */
  const sendCall = async (call: Readonly<Record<string, string>>): Promise<{ hash: string }> => {
    const transaction = { from: state.addresses[0], chainId: hexChainId(state.chain), ...call }
    const hash = await request('eth_sendTransaction', [transaction]).catch(walletError('eth_sendTransaction'))
    if (!v.is(transactionHash, hash)) throw await accountError('send/unconfirmed')
    return { hash }
  }

  /** Throws unless `account` is the active account on the active chain. */
  const requireActive = (account: AccountId<'eip155'>): void => {
    if (state.hasEnded || state.addresses[0]?.toLowerCase() !== addressOf(account).toLowerCase()) throw notAuthorized()
    const chain = chainOf(account)
    if (chain !== state.chain) throw new LatchkeyError('network/unsupported', { chain })
  }
  const replaceTransaction: SessionCapabilities<'eip155'>['replaceTransaction'] = async ({
    account,
    hash,
    cancels,
  }) => {
    requireActive(account)
    const found = await requestSoon('eth_getTransactionByHash', [hash]).catch(walletError('eth_getTransactionByHash'))
    const { replacementOf } = await import('./replaceTransaction.ts')
    const replacement = await replacementOf(found, { hash, sender: addressOf(account), cancels })
    requireActive(account)
    return sendCall(replacement)
  }

  return {
    async signMessage({ account, message }) {
      const signature = await request('personal_sign', [toHex(message), ownAddress(account)]).catch(
        walletError('personal_sign'),
      )
      const bytes = typeof signature === 'string' ? fromHex(signature) : undefined
      if (!bytes) throw new LatchkeyError('wallet/failed', { message: 'It returned an invalid signature.' })
      return bytes
    },
    async send({ from, ...params }) {
      const call = await transferCall(params, state.chain)
      const sender = accountId(state.chain, state.addresses[0] ?? '')
      // The code above is loaded on first use, and the user can change the account in the wallet meanwhile.
      if (from !== undefined && from.toLowerCase() !== sender.toLowerCase()) throw await accountError('send/changed')
      return sendCall(call)
    },
    async sendTransaction({ account, to, data = '0x', value = 0n, gas }) {
      requireActive(account)
      const contract = toEvmAddress(to)
      if (!contract || !/^0x([0-9a-f]{2})*$/i.test(data) || value < 0n)
        throw new LatchkeyError('input/invalid', { path: 'transaction', message: 'is not an EVM transaction' })
      return sendCall({
        to: contract,
        data,
        value: toQuantity(value),
        ...(gas !== undefined && { gas: toQuantity(gas) }),
      })
    },
    ...(acceptsNonce && { replaceTransaction }),
    async capabilities() {
      if (state.hasEnded) throw notAuthorized()
      const response = await requestSoon('wallet_getCapabilities', [state.addresses[0]]).catch((error) => {
        // Wallets that do not support EIP-5792 reject with various errors, so only a disconnected wallet is reported.
        if (wasDisconnected(error)) throw toWalletError(error, { request: 'wallet_getCapabilities', connectorId })
        return {}
      })
      return readCapabilities(response)
    },
  }
}

/** Creates an error whose message is not needed before the first transaction. */
async function accountError(code: 'send/changed' | 'send/unconfirmed'): Promise<LatchkeyError> {
  const { accountFailure } = await import('@latchkey/protocol/errors/accountErrorMessages')
  return accountFailure(code)
}

/** Parses the response, and keeps the capabilities that are keyed by a hex chain ID. */
function readCapabilities(response: unknown): Readonly<Record<string, unknown>> {
  const parsed = v.safeParse(v.record(v.string(), v.unknown()), response)
  if (!parsed.success) return {}
  return Object.fromEntries(Object.entries(parsed.output).filter(([chain]) => /^0x[0-9a-f]+$/i.test(chain)))
}
