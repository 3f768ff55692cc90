// The page of the keys origin where users manage their wallet. It cannot be embedded in a frame.
export { approvalPath, walletPath } from '../../frame/frameMethods.ts'

/**
 * The name of the `Server-Timing` metric that indicates how a page of the keys origin was opened: `owner` if the URL was typed, scanned or
 * bookmarked, `frame` for a window opened by a document of the keys origin, `page` for navigation started by any other page. Absent if the browser
 * does not report it.
 */
export const arrivalTiming = 'arrival'
