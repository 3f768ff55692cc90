import { expect, test } from 'vitest'
import type { ScreenView } from './elementVisibility.ts'
import { createSeenContent } from './seenContent.ts'

const view = {
  screen: { querySelector: () => null },
  window: { innerWidth: 400, innerHeight: 600 },
} as unknown as ScreenView

/** Creates an element whose position a test can change. */
function element(top: number, height: number, more: object = {}) {
  const box = { top, height, ...more }
  const found = {
    getBoundingClientRect: () => ({ ...box, bottom: box.top + box.height }),
    contains: (node: unknown) => node === found,
    get scrollTop() {
      return (box as { scrollTop?: number }).scrollTop ?? 0
    },
    clientHeight: height,
    scrollHeight: 300,
  }
  return { box, found: found as unknown as Element }
}

const isOnScreen = (item: Element): boolean => {
  const { top, bottom } = item.getBoundingClientRect()
  return top >= 0 && bottom <= 600
}

test('an element that has been on screen once counts as seen until its content changes', () => {
  const content = createSeenContent(view, isOnScreen)
  const [fact, other] = [element(700, 100), element(100, 100)]
  const all = [fact.found, other.found]
  content.record(all, [])
  expect(all.map(content.hasSeen)).toEqual([false, true])
  fact.box.top = 500
  other.box.top = -200
  content.record(all, [])
  expect(all.map(content.hasSeen)).toEqual([true, true])
  content.forget([other.found])
  expect(all.map(content.hasSeen)).toEqual([true, false])
})

test('an element taller than the screen counts as seen once both of its ends have been on screen', () => {
  const content = createSeenContent(view, isOnScreen)
  const text = element(0, 1_000)
  content.record([text.found], [])
  expect(content.hasSeen(text.found)).toBe(false)
  text.box.top = -200
  content.record([text.found], [])
  expect(content.hasSeen(text.found)).toBe(false)
  text.box.top = -400
  content.record([text.found], [])
  expect(content.hasSeen(text.found)).toBe(true)
})

test('if the content changes, an end that was on screen before no longer counts', () => {
  const content = createSeenContent(view, isOnScreen)
  const text = element(0, 1_000)
  content.record([text.found], [])
  content.forget([text.found])
  text.box.top = -400
  content.record([text.found], [])
  expect(content.hasSeen(text.found)).toBe(false)
})

test('an element that fits the screen does not count as seen if its ends were on screen one after the other', () => {
  const content = createSeenContent(view, isOnScreen)
  const text = element(300, 500)
  content.record([text.found], [])
  text.box.top = -100
  content.record([text.found], [])
  expect(content.hasSeen(text.found)).toBe(false)
})

test('a box counts as read if it was scrolled to its end while that end was on screen', () => {
  const content = createSeenContent(view, isOnScreen)
  const box = element(550, 100, { scrollTop: 0 })
  const scrollTo = (top: number) => {
    Object.assign(box.box, { scrollTop: top })
    content.record([], [box.found])
    return content.hasReadToEnd(box.found)
  }
  expect(scrollTo(200)).toBe(false)
  box.box.top = 100
  expect(scrollTo(0)).toBe(false)
  expect(scrollTo(200)).toBe(true)
  expect(scrollTo(0)).toBe(true)
  content.forget([box.found])
  expect(content.hasReadToEnd(box.found)).toBe(false)
})
