/** The window with the provider's page. */
export interface PaymentWindow {
  /** Opens an empty window, which replaces an earlier one. Call it in a click handler, because browsers block windows otherwise. */
  open(): void
  /** Shows the provider's page in the window. Returns `false` if there is no window. */
  show(url: string): boolean
  close(): void
}

/** Creates a payment window without opening it. `open` has the parameters of `window.open`. */
export function createPaymentWindow(
  open: (url: string, target: string, features: string) => Window | null,
): PaymentWindow {
  let popup: Window | null = null

  function close(): void {
    try {
      popup?.close()
    } catch {
      // If COOP has isolated the window from this page, it stays open.
    }
    popup = null
  }

  return {
    open() {
      close()
      popup = open('about:blank', 'latchkey-onramp', 'popup,width=600,height=800')
    },
    show(url) {
      if (!popup) return false
      try {
        // The provider's page must not be able to navigate this one.
        popup.opener = null
        popup.location.replace(url)
        return true
      } catch {
        return false
      }
    },
    close,
  }
}
