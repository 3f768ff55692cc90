import { expect, test } from 'vitest'
import { getNavigationSource, isOpenedByFrame, type NavigatedWindow } from './navigationSource.ts'

/** Creates a window whose address the owner typed, as reported by Chromium. */
function arriving(changes: {
  readonly name?: string
  readonly opener?: unknown
  readonly referrer?: string
  readonly toolbar?: boolean
  readonly type?: string
  readonly reported?: string | undefined
}): NavigatedWindow {
  const { name = '', opener = null, referrer = '', toolbar = true, type = 'navigate' } = changes
  const reported = 'reported' in changes ? changes.reported : 'owner'
  return {
    name,
    opener,
    document: { referrer },
    toolbar: { visible: toolbar },
    performance: {
      getEntriesByType: () => [
        { type, serverTiming: reported === undefined ? [] : [{ name: 'arrival', description: reported }] },
      ],
    },
  } as never
}

test('recognizes an address typed by the owner', () => {
  expect(getNavigationSource(arriving({}))).toBe('owner')
})

test.each([
  ['the server detected that another page caused the navigation', { reported: 'page' }],
  ['the frame opened it, because a page can ask the frame to do so', { reported: 'frame' }],
  ['a page opened it and still has a reference to it', { opener: {} }],
  ['a page gave the window a name', { name: 'game' }],
  ['a page is the referrer', { referrer: 'https://shop.example/' }],
  ['it is a popup', { toolbar: false }],
  ['it was reloaded', { type: 'reload' }],
  ['a page went back to it, or the browser restored it', { type: 'back_forward' }],
  ['the browser prerendered it', { type: 'prerender' }],
  [
    'the server reports that another page caused the navigation, and the window was reloaded',
    { reported: 'page', type: 'reload' },
  ],
])('the source is another page if %s', (_, changes) => {
  expect(getNavigationSource(arriving(changes))).toBe('page')
  // One of these signs is sufficient, whatever the other signs indicate.
  expect(getNavigationSource(arriving({ ...changes, ...(!('reported' in changes) && { reported: undefined }) }))).toBe(
    'page',
  )
})

test('the source is unknown if the browser sends no information to the server', () => {
  expect(getNavigationSource(arriving({ reported: undefined }))).toBe('unknown')
  expect(getNavigationSource(arriving({ reported: 'something' }))).toBe('unknown')
})

const sdk = 'https://keys.example/sdk?projectId=shop'
/** Returns the result of `isOpenedByFrame` for a window that the frame opened with `noopener`, as reported by Chromium. */
function opened(changes: Parameters<typeof arriving>[0]): boolean {
  const location = new URL('https://keys.example/continue')
  return isOpenedByFrame({ ...arriving({ referrer: sdk, reported: 'frame', ...changes }), location } as never, '/sdk')
}

test('recognizes a window that the frame opened', () => {
  expect(opened({})).toBe(true)
  // Some browsers withhold the referrer. Others report nothing to the server, or report the embedding page.
  expect(opened({ referrer: '' })).toBe(true)
  for (const reported of [undefined, 'page']) expect(opened({ reported })).toBe(true)
})

test.each([
  ['another page opened it', { reported: 'page', referrer: '' }],
  ['its URL was typed, scanned or opened from an email', { reported: 'owner', referrer: '' }],
  ['another window has a reference to it', { opener: {} }],
  ['it was reloaded', { type: 'reload' }],
  ['a page went back to it', { type: 'back_forward' }],
  ['the browser reports nothing', { reported: undefined, referrer: '' }],
  ['another page is the referrer', { reported: undefined, referrer: 'https://evil.example/sdk' }],
  ['another page of the keys origin is the referrer', { reported: undefined, referrer: 'https://keys.example/wallet' }],
])('a window does not count as opened by the frame if %s', (_, changes) => {
  expect(opened(changes)).toBe(false)
})
