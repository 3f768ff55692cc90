/** Whether the device appears to be a phone or tablet. `false` on a server. */
export function isMobileDevice(): boolean {
  if (typeof navigator === 'undefined') return false
  const { userAgentData } = navigator as { userAgentData?: { mobile?: boolean } }
  // iPads identify themselves as Macs, but Macs have no touch points.
  const tablet = navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1
  return userAgentData?.mobile ?? (tablet || /Android|iPhone|iPad|iPod/i.test(navigator.userAgent))
}
