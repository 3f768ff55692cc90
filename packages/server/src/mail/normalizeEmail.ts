import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/**
 * Returns the canonical form of an email address for limits, storage and sending, or `undefined` if the address is undeliverable.
 * The domain is normalized with IDNA, as in mail software. Otherwise, full-width or invisible characters would create a second
 * address, with its own account and limits, for the same mailbox. The result has at most 254 characters, because the frame
 * could not read an account with a longer address.
 */
export function normalizeEmail(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const written = email.slice(at + 1)
  const domain = domainToASCII(written)
  // `domainToASCII` parses its input like a URL host. It stops at a path or port, decodes percent-encoding, and reads numbers as
  // IP addresses. In Node 24, it accepts empty Punycode labels.
  if (/(^|\.)xn--(\.|$)/.test(domain)) return undefined
  if (at < 1 || /[/\\?#:%]/.test(written) || !domain.includes('.') || domain.endsWith('.') || isIP(domain) !== 0)
    return undefined
  const normalized = `${email.slice(0, at).toLowerCase()}@${domain}`
  // Normalization can make an address longer: `İ` becomes two characters, and a domain is written in Punycode.
  return normalized.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+$/.test(normalized) ? normalized : undefined
}
