import { expect, test } from 'vitest'
import { dwellMs, type SightNeeds, watchSight } from './sight.ts'

function browser() {
  const tasks = new Map<number, { at: number; task: () => void }>()
  let clock = 0
  let next = 1
  let report: (entry: { intersectionRatio: number; isVisible?: boolean }) => void = () => {}
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const window = Object.assign(new EventTarget(), {
    document,
    innerWidth: 360,
    innerHeight: 600,
    IntersectionObserver: class {
      constructor(callback: (entries: unknown[]) => void) {
        report = (entry) => callback([entry])
      }
      observe() {}
      disconnect() {}
    },
  })
  const needs = {
    window,
    setTimeout: (task: () => void, ms: number) => {
      tasks.set(next, { at: clock + ms, task })
      return next++
    },
    clearTimeout: (timer: number) => tasks.delete(timer),
  } as unknown as SightNeeds
  return {
    window,
    document,
    needs,
    report: (entry: { intersectionRatio: number; isVisible?: boolean }) => report(entry),
    pass(ms: number) {
      clock += ms
      for (const [id, { at, task }] of tasks) if (at <= clock && tasks.delete(id)) task()
    },
  }
}

function watched() {
  const given = browser()
  const changes: string[] = []
  const sight = watchSight({} as Element, given.needs, () => changes.push(sight.now()))
  return { ...given, sight, changes }
}
const whole = { intersectionRatio: 1, isVisible: true }

test('a press counts once the button was seen for long enough', () => {
  const { sight, report, pass } = watched()
  pass(10_000)
  expect(sight.now()).toBe('waiting')
  report(whole)
  pass(dwellMs - 1)
  expect(sight.now()).toBe('waiting')
  pass(1)
  expect(sight.now()).toBe('armed')
})

test.each<[what: string, entry: { intersectionRatio: number; isVisible: boolean }]>([
  ['covered or faded', { intersectionRatio: 1, isVisible: false }],
  ['cut off', { intersectionRatio: 0.9, isVisible: true }],
])('a button that is %s does not count, and the wait begins anew', (_what, entry) => {
  const { sight, report, pass } = watched()
  report(whole)
  pass(dwellMs)
  report(entry)
  expect(sight.now()).toBe('covered')
  report(whole)
  pass(dwellMs - 1)
  expect(sight.now()).toBe('waiting')
})

test('a resize, another tab and a moved frame begin the wait anew', () => {
  const { sight, report, pass, window, document } = watched()
  report(whole)
  pass(dwellMs)
  window.dispatchEvent(new Event('resize'))
  expect(sight.now()).toBe('waiting')
  pass(dwellMs)
  document.visibilityState = 'hidden'
  document.dispatchEvent(new Event('visibilitychange'))
  expect(sight.now()).toBe('hidden')
  document.visibilityState = 'visible'
  document.dispatchEvent(new Event('visibilitychange'))
  pass(dwellMs)
  expect(sight.now()).toBe('armed')
  sight.pointerAt({ clientX: 10, clientY: 10, screenX: 110, screenY: 110 })
  sight.pointerAt({ clientX: 40, clientY: 20, screenX: 140, screenY: 120 })
  expect(sight.now()).toBe('armed')
  sight.pointerAt({ clientX: 40, clientY: 20, screenX: 240, screenY: 120 })
  expect(sight.now()).toBe('waiting')
})

test('a window too small to be read does not count', () => {
  const { sight, report, pass, window } = watched()
  window.innerHeight = 60
  report(whole)
  pass(dwellMs)
  expect(sight.now()).toBe('small')
})
