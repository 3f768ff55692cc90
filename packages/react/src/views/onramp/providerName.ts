import type { OnrampProviderName } from '@latchkey/core'

const names: Readonly<Record<OnrampProviderName, string>> = { coinbase: 'Coinbase', meld: 'Meld.io' }

/** Returns the display name of a provider. */
export function providerName(provider: OnrampProviderName): string {
  return names[provider]
}
