import type { Clock } from '@latchkey/core/adapter'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { responseTimeoutMs, withTimeout } from '../shared/responseTimeout.ts'
import { wasDisconnected } from '../shared/walletErrors.ts'
import { readChainId } from './chainId.ts'
import type { EvmSessionState } from './evmSessionState.ts'

/** The methods that can change balances. */
const sends = /^(eth_send(Raw)?Transaction|wallet_sendCalls)$/
/** The methods that can require approval. */
const prompts = /^(wallet_|personal_|eth_(send|sign|requestAccounts|decrypt|getEncryptionPublicKey))/

/** Sends a session's requests to its wallet, and updates the session's health from the responses. */
export interface EvmRequests {
  /** Sends a request. Pings the wallet if a request that needs no approval takes too long. */
  request(method: string, params?: unknown): Promise<unknown>
  /** Checks whether the wallet responds, and updates the session's health. Concurrent calls share one check. */
  ping(): Promise<void>
}

/** Creates the request functions for a session. */
export function createEvmRequests({
  wallet,
  state,
  clock,
  connectorId,
  lives,
}: {
  readonly wallet: (method: string, params?: unknown) => Promise<unknown>
  readonly state: Pick<EvmSessionState, 'hasEnded' | 'setChain' | 'setHealth' | 'sent'>
  readonly clock: Clock
  readonly connectorId: string
  /** Checks whether the wallet is reachable. By default, the check requests the wallet's chain. */
  readonly lives?: (() => Promise<boolean>) | undefined
}): EvmRequests {
  let checking: Promise<void> | undefined

  /** Sends a request and updates the session's health from the outcome. */
  const send = async (method: string, params?: unknown): Promise<unknown> => {
    if (state.hasEnded) throw new LatchkeyError('wallet/not-authorized', { connectorId })
    try {
      const response = await wallet(method, params)
      state.setHealth('ok')
      return response
    } catch (error) {
      state.setHealth(wasDisconnected(error) ? 'silent' : 'ok')
      throw error
    }
  }

  const check = async (): Promise<void> => {
    if (state.hasEnded) return
    // If a response arrives after the timeout, `send` sets the health back to `ok`.
    const response = lives
      ? lives().then((isReachable) => state.setHealth(isReachable ? 'ok' : 'silent'))
      : send('eth_chainId').then(
          (value) => {
            const chain = readChainId(value)
            if (chain) state.setChain(chain)
          },
          () => {},
        )
    await withTimeout(
      response,
      responseTimeoutMs,
      clock,
      () => new LatchkeyError('wallet/unresponsive', { connectorId }),
    ).catch(() => state.setHealth('silent'))
  }

  const ping = (): Promise<void> => {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  return {
    async request(method, params) {
      const cancel = prompts.test(method) ? undefined : clock.after(responseTimeoutMs, () => void ping())
      try {
        const response = await send(method, params)
        if (sends.test(method)) state.sent()
        return response
      } finally {
        cancel?.()
      }
    },
    ping,
  }
}
