import type { Clock } from '@latchkey/core/adapter'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { wasDisconnected } from '../shared/walletErrors.ts'
import { readChainId } from './chainId.ts'
import type { EvmSessionState } from './evmSessionState.ts'
import { responseTimeoutMs, withTimeout } from './providerCalls.ts'

/** Methods that change balances. */
const sends = /^(eth_send(Raw)?Transaction|wallet_sendCalls)$/
/** Methods that may require approval. */
const prompts = /^(wallet_|personal_|eth_(send|sign|requestAccounts|decrypt|getEncryptionPublicKey))/

/** The requests of a session to its wallet, which show whether the wallet responds. */
export interface EvmRequests {
  /** Sends a request. If one that needs no approval takes too long, the wallet is pinged. */
  request(method: string, params?: unknown): Promise<unknown>
  /** Updates the health of the session. Concurrent calls share one check. */
  ping(): Promise<void>
}

/** Creates the requests of the session with this `state`. */
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
  /** Checks whether the wallet is reachable, if that is possible without requesting its chain. */
  readonly lives?: (() => Promise<boolean>) | undefined
}): EvmRequests {
  let checking: Promise<void> | undefined

  /** Sends a request and updates the health of the session from its outcome. */
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
    // A late response still counts: `send` sets the health back to `ok` when it arrives.
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
