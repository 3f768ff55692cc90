/** The only host that is recognized as the Safe app. */
export const safeHost = 'app.safe.global'

/** Whether Safe embeds `page`, according to its first ancestor origin. `false` if the browser does not expose the origin. */
export function isInsideSafeApp(page: Window): boolean {
  try {
    const ancestor = page.location.ancestorOrigins[0]
    return page.parent !== page && ancestor !== undefined && new URL(ancestor).hostname === safeHost
  } catch {
    return false
  }
}
