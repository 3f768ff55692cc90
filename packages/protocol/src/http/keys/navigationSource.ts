/**
 * The name of the `Server-Timing` metric that indicates how a page on the keys origin was opened. The value is `owner` if the URL
 * was typed, scanned or bookmarked, `frame` if a document on the keys origin opened the page, and `page` if any other page did.
 * The metric is absent if the browser does not report how the page was opened.
 */
export const navigationSourceMetric = 'arrival'
