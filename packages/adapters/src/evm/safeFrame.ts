/** The one host that may frame this page as Safe. */
export const safeHost = 'app.safe.global'

/** Whether `page` is framed by Safe: the first ancestor is at its host. Whatever cannot be read means no. */
export function inSafeFrame(page: Window): boolean {
  try {
    const ancestor = page.location.ancestorOrigins[0]
    return page.parent !== page && ancestor !== undefined && new URL(ancestor).hostname === safeHost
  } catch {
    return false
  }
}
