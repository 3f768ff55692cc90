/** The maximum length of an email address (RFC 5321). */
const maxLength = 254

/**
 * Whether `text` is a single email address, without a display name, comments or quotes. The page, the frame and the servers of
 * the embedded wallet and of sign-in use this rule. The servers also check the domain.
 */
export function isEmailAddress(text: string): boolean {
  // Excludes the characters that separate or delimit addresses in an email header (RFC 5322, section 3.2.3).
  return text.length <= maxLength && /^[^\s@<>()[\]:;\\,"]+@[^\s@<>()[\]:;\\,"]+\.[^\s@<>()[\]:;\\,"]+$/.test(text)
}
