import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/**
 * The canonical form of an email address, used for limits, storage and sending, or `undefined` if the address is undeliverable. The domain
 * is normalized as mail programs look it up (IDNA): otherwise full-width, accented or invisible letters would make a second address with
 * its own account and limits, whose mail arrives in the same mailbox.
 */
export function normalizeEmail(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const written = email.slice(at + 1)
  const domain = domainToASCII(written)
  // `domainToASCII` parses like a URL host: it stops at a path or port, decodes percent-encoding, and reads numbers as IP addresses.
  if (at < 1 || /[/\\?#:%]/.test(written) || !domain.includes('.') || domain.endsWith('.') || isIP(domain) !== 0)
    return undefined
  return `${email.slice(0, at).toLowerCase()}@${domain}`
}
