import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/**
 * An e-mail address in the one spelling that it is counted, kept and mailed under; `undefined` where no mail can go there. The domain is
 * written as mail programs look it up (IDNA): a full-width or accented letter, or an invisible one, would otherwise be another address
 * here, with an account and limits of its own, whose mail arrives in the same mailbox.
 */
export function mailboxKey(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const written = email.slice(at + 1)
  const domain = domainToASCII(written)
  // The reader of hosts reads as in an address of a page: it ends before a path or a port, decodes, and takes numbers that are an address.
  if (at < 1 || /[/\\?#:%]/.test(written) || !domain.includes('.') || domain.endsWith('.') || isIP(domain) !== 0)
    return undefined
  return `${email.slice(0, at).toLowerCase()}@${domain}`
}
