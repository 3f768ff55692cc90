/** Apps that show pages in a window of their own, where a second one is lost, shut out, or cannot answer the first. */
const inApp =
  /\b(FBA[NV]|FB_IAB|Instagram|Line\/|MicroMessenger|Snapchat|Bytedance|musical_ly|LinkedInApp|Pinterest\/|GSA\/)|; wv\)/

/** Whether this page stands in another app's own window, from which a link opens no third one. */
export function isInApp(page: Window | undefined = globalThis.window): boolean {
  return page !== undefined && inApp.test(page.navigator.userAgent)
}

/** Whether a popup of this page can come back to it: not in Telegram, not in another app's browser, not in an installed page. */
export function popupsWork(page: Window | undefined = globalThis.window): boolean {
  if (!page) return true
  if (isInTelegram(page)) return false
  if (isInApp(page)) return false
  return !page.matchMedia?.('(display-mode: standalone)').matches
}

/** Whether this page is a mini app of Telegram. */
export function isInTelegram(page: Window): boolean {
  const { Telegram, TelegramWebviewProxy } = page as { Telegram?: { WebApp?: unknown }; TelegramWebviewProxy?: unknown }
  return Boolean(TelegramWebviewProxy || Telegram?.WebApp) || page.location.hash.includes('tgWebAppData')
}
