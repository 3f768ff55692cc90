import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/**
 * Returns the canonical form of an email address for limits, storage and sending, or `undefined` if the address is undeliverable.
 * The domain is normalized in the same way as mail software does (IDNA). Otherwise, full-width or invisible characters would
 * create a second address, with its own account and limits, for the same mailbox. The result is an address that the frame accepts,
 * because it could not read an account with any other.
 */
export function normalizeEmail(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const written = email.slice(at + 1)
  const domain = domainToASCII(written)
  // `domainToASCII` parses its input like a URL host. It stops at a path or port, decodes percent-encoding, and reads numbers as
  // IP addresses.
  if (at < 1 || /[/\\?#:%]/.test(written) || !domain.includes('.') || domain.endsWith('.') || isIP(domain) !== 0)
    return undefined
  const normalized = `${email.slice(0, at).toLowerCase()}@${domain}`
  // Normalization can make an address longer: `İ` becomes two characters, and a domain is written in Punycode.
  return normalized.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+$/.test(normalized) ? normalized : undefined
}
