import { HttpError } from '../../errors/httpError.ts'
import type { SmartSessions } from '../chainApiTypes.ts'

/**
 * Creates the `SmartSessions` service, which never contains any sessions. The embedded wallet's frame stores and enforces
 * permissions, and `smartSessions()` of `@latchkey/core/permissions` lists and revokes them there. The server does not receive
 * them, so its lists are empty and there is nothing to revoke. The endpoints exist for compatibility with clients that call
 * them as the specification defines.
 */
export function createSmartSessions(): SmartSessions {
  return {
    async list(address) {
      checkAddress(address)
      return []
    },
    async revoke(address) {
      checkAddress(address)
      throw new HttpError(400, 'pci', 'This account has no such session')
    },
  }
}

/** Accepts CAIP-10 and plain EVM addresses. Only accounts on EVM chains can have smart sessions. */
function checkAddress(address: string): void {
  if (!/^(eip155:[1-9]\d{0,31}:)?0x[0-9a-fA-F]{40}$/.test(address))
    throw new HttpError(400, 'address', 'The address is not an EVM account')
}
