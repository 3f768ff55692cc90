/** The only host that is treated as Safe. */
export const safeHost = 'app.safe.global'

/** Whether `page` is embedded by Safe, judged by its first ancestor origin. `false` if that cannot be read. */
export function isInsideSafeApp(page: Window): boolean {
  try {
    const ancestor = page.location.ancestorOrigins[0]
    return page.parent !== page && ancestor !== undefined && new URL(ancestor).hostname === safeHost
  } catch {
    return false
  }
}
