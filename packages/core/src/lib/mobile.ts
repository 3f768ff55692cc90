/** Whether this is a phone or tablet, as far as a page can tell; false on a server. */
export function isMobile(): boolean {
  if (typeof navigator === 'undefined') return false
  const { userAgentData } = navigator as { userAgentData?: { mobile?: boolean } }
  // iPads say that they are Macs; a Mac has no touch points.
  const tablet = navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1
  return userAgentData?.mobile ?? (tablet || /Android|iPhone|iPad|iPod/i.test(navigator.userAgent))
}
