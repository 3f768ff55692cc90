import { expect, test } from 'vitest'
import { createIntersectionReports } from './intersectionReports.ts'

type Entry = { readonly target: unknown; readonly intersectionRatio: number; readonly isVisible?: boolean }

function reportsOf(isFramed: boolean) {
  let deliver: (entries: readonly Entry[]) => void = () => {}
  let pending: readonly Entry[] = []
  let changes = 0
  const observed = new Set<unknown>()
  class Observer {
    constructor(callback: (entries: readonly Entry[]) => void) {
      deliver = callback
    }
    observe = (element: unknown) => observed.add(element)
    unobserve = (element: unknown) => observed.delete(element)
    disconnect = () => observed.clear()
    takeRecords = () => pending
  }
  const window = { IntersectionObserver: Observer } as never
  const reports = createIntersectionReports({ window, isFramed, changed: () => (changes += 1) })
  return {
    reports,
    observed,
    deliver: (entry: Entry) => deliver([entry]),
    hold: (entry: Entry) => {
      pending = [entry]
    },
    changes: () => changes,
  }
}

const [fact, button] = ['fact', 'button'] as unknown as [Element, Element]

test('in a frame, an element counts as hidden until the browser reports it as entirely visible', () => {
  const { reports, deliver, changes } = reportsOf(true)
  reports.observe([fact])
  expect(reports.isReportedHidden(fact)).toBe(true)
  deliver({ target: fact, intersectionRatio: 0.98, isVisible: true })
  expect(reports.isReportedHidden(fact)).toBe(true)
  deliver({ target: fact, intersectionRatio: 1, isVisible: true })
  expect(reports.isReportedHidden(fact)).toBe(false)
  deliver({ target: fact, intersectionRatio: 1, isVisible: false })
  expect(reports.isReportedHidden(fact)).toBe(true)
  expect(changes()).toBe(3)
})

test('if the browser does not support version 2 of the interface, only the intersection ratio is checked', () => {
  const { reports, deliver } = reportsOf(true)
  reports.observe([fact])
  deliver({ target: fact, intersectionRatio: 1 })
  expect(reports.isReportedHidden(fact)).toBe(false)
})

test('in a top-level window, an element never counts as reported hidden', () => {
  const { reports, deliver } = reportsOf(false)
  reports.observe([fact])
  deliver({ target: fact, intersectionRatio: 0, isVisible: false })
  expect(reports.isReportedHidden(fact)).toBe(false)
})

test('flush() adopts a report that the browser has not delivered yet, and does not call the listener', () => {
  const { reports, deliver, hold, changes } = reportsOf(true)
  reports.observe([fact])
  deliver({ target: fact, intersectionRatio: 1, isVisible: true })
  hold({ target: fact, intersectionRatio: 1, isVisible: false })
  reports.flush()
  expect(reports.isReportedHidden(fact)).toBe(true)
  expect(changes()).toBe(1)
})

test('observes only the current elements, and an element that is observed again counts as hidden', () => {
  const { reports, observed, deliver } = reportsOf(true)
  reports.observe([fact, button])
  deliver({ target: fact, intersectionRatio: 1, isVisible: true })
  reports.observe([button])
  expect([...observed]).toEqual([button])
  expect(reports.isReportedHidden(fact)).toBe(false)
  reports.observe([fact, button])
  expect(reports.isReportedHidden(fact)).toBe(true)
  reports.stop()
  expect(observed.size).toBe(0)
})
