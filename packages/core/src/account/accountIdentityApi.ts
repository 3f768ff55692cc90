import { addressOf } from '@latchkey/protocol/caip'
import type { Clock } from '@latchkey/protocol/clock'
import { getIdentity } from '@latchkey/protocol/http/chainApi'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Identity } from '../adapter.ts'
import type { ChainApiClient } from '../chainApi/chainApiClient.ts'
import { abortable, linkedController } from '../lib/abortable.ts'
import type { AccountNames } from './accountNamesTypes.ts'
import type { PortfolioSubject } from './portfolioTypes.ts'

/** How long to wait for the server before the name is read from the chain instead, in milliseconds. */
const maxWaitMs = 5_000

/** Reads the name and the image of accounts from the server. */
export interface AccountIdentityApi {
  /**
   * Resolves to the name and image of an account, or to `undefined` if the server does not support its network. Rejects with a
   * `LatchkeyError` if the server does not respond within five seconds.
   */
  read(subject: PortfolioSubject, signal: AbortSignal): Promise<Identity | undefined>
  stop(): void
}

/** Creates an `AccountIdentityApi`. Nothing is requested until the first call. */
export function createAccountIdentityApi({
  api,
  names,
  isEmbedded,
  clock,
}: {
  readonly api: ChainApiClient
  /** Loads the client for the server's account names. */
  names(): Promise<Pick<AccountNames, 'reverse'>>
  /** Whether the active account belongs to the embedded wallet. If it has no other name, its first account name is used. */
  isEmbedded(): boolean
  readonly clock: Clock
}): AccountIdentityApi {
  const stopped = new AbortController()
  return {
    async read({ account, network }, signal) {
      if (network.chainNamespace !== 'eip155') return undefined
      const address = addressOf(account)
      const controller = linkedController(stopped.signal, signal)
      const late = (): void => controller.abort(new LatchkeyError('http/unreachable', { url: getIdentity.path }))
      const cancel = clock.after(maxWaitMs, late)
      const request = async (): Promise<Identity | undefined> => {
        if (!(await api.supports(network.caipNetworkId))) return undefined
        const query = { sender: address }
        const { name, avatar } = await api.call(getIdentity, { params: { address }, query, signal: controller.signal })
        const [own] = name === null && isEmbedded() ? await (await names()).reverse(address).catch(noNames) : []
        const shown = name ?? own
        return { ...(shown && { name: shown }), ...(avatar && { image: avatar }) }
      }
      try {
        return await abortable(request(), controller.signal)
      } finally {
        cancel()
      }
    },
    stop: () => stopped.abort(),
  }
}

const noNames = (): readonly string[] => []
