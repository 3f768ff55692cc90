/** Whether this is a phone or tablet, as far as the page can detect it. False on a server. */
export function isMobileDevice(): boolean {
  if (typeof navigator === 'undefined') return false
  const { userAgentData } = navigator as { userAgentData?: { mobile?: boolean } }
  // iPads report themselves as Macs, but Macs have no touch points.
  const tablet = navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1
  return userAgentData?.mobile ?? (tablet || /Android|iPhone|iPad|iPod/i.test(navigator.userAgent))
}
