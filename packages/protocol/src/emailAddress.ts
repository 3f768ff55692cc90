/** The maximum length of an email address (RFC 5321). */
const maxLength = 254

/**
 * Whether `text` is a single email address, without a display name, comments or quotes. The page, the frame and the server of the
 * embedded wallet use this rule. The server also checks the domain.
 */
export function isEmailAddress(text: string): boolean {
  // Excludes the characters that separate or delimit addresses in an email header (RFC 5322, section 3.2.3).
  return text.length <= maxLength && /^[^\s@<>()[\]:;\\,"]+@[^\s@<>()[\]:;\\,"]+\.[^\s@<>()[\]:;\\,"]+$/.test(text)
}
