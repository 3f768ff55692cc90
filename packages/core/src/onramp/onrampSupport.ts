import { namespaceOf } from '@latchkey/protocol/caip'
import { getOnrampOptions } from '@latchkey/protocol/http/chainApi'
import { authNamespaces as onrampNamespaces } from '@latchkey/protocol/specificationConstants'
import type { OnrampContext } from './onrampContext.ts'
import { offeredProviders } from './onrampOffers.ts'
import type { Onramp } from './onrampTypes.ts'

/** Creates the check whether tokens can be bought on the active network. The providers are requested from the server once. */
export function createOnrampSupport({ api, now, providers, stopped }: OnrampContext): Onramp['supported'] {
  let known: Promise<boolean> | undefined
  const hasProvider = (): Promise<boolean> => {
    known ??= api.call(getOnrampOptions, { signal: stopped }).then(
      (options) => offeredProviders(providers, options).length > 0,
      () => {
        // It is not known whether there is a provider. The next call tries again.
        known = undefined
        return true
      },
    )
    return known
  }
  return async () => {
    const subject = now()
    if (!subject || !onrampNamespaces.includes(namespaceOf(subject.account))) return false
    const [hasNetwork, has] = await Promise.all([
      api.supports(subject.network.caipNetworkId).catch(() => true),
      hasProvider(),
    ])
    return hasNetwork && has
  }
}
