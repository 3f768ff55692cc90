/** Matches the user agents of in-app browsers, where a second window is blocked or cannot communicate with the first window. */
const inApp =
  /\b(FBA[NV]|FB_IAB|Instagram|Line\/|MicroMessenger|Snapchat|Bytedance|musical_ly|LinkedInApp|Pinterest\/|GSA\/)|; wv\)/

/** Whether this page is open in an app's in-app browser, where links do not open a new window. */
export function isInAppBrowser(page: Window | undefined = globalThis.window): boolean {
  return page !== undefined && inApp.test(page.navigator.userAgent)
}

/** Whether popups can communicate with this page. `false` in Telegram, in-app browsers and installed web apps. */
export function popupsWork(page: Window | undefined = globalThis.window): boolean {
  if (!page) return true
  if (isInTelegram(page)) return false
  if (isInAppBrowser(page)) return false
  return !page.matchMedia?.('(display-mode: standalone)').matches
}

/** Whether this page is a Telegram mini app. */
export function isInTelegram(page: Window): boolean {
  const { Telegram, TelegramWebviewProxy } = page as { Telegram?: { WebApp?: unknown }; TelegramWebviewProxy?: unknown }
  return Boolean(TelegramWebviewProxy || Telegram?.WebApp) || page.location.hash.includes('tgWebAppData')
}
