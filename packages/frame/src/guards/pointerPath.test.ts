import { expect, test } from 'vitest'
import { createPointerPath, type PathEvent } from './pointerPath.ts'

const at = (clientX: number, more: Partial<PathEvent> = {}): PathEvent => ({
  isTrusted: true,
  pointerType: 'mouse',
  clientX,
  clientY: 0,
  buttons: 0,
  relatedTarget: null,
  ...more,
})

/** Creates a path for a mouse that has moved from x = 200 to x = 101. The edge of the button is at x = 100. */
function pathFromOutside() {
  const path = createPointerPath()
  path.move(at(200), false)
  path.move(at(101), false)
  return path
}

test('the path leads to the mouse once the mouse has moved at least 16 pixels from a position outside the button', () => {
  const path = pathFromOutside()
  // The distance is measured from the first position outside the button, not from its edge.
  path.move(at(90), true)
  expect(path.leadsTo(at(90))).toBe(true)
  expect(path.leadsTo(at(86))).toBe(true)
  expect(path.leadsTo(at(85))).toBe(false)

  const short = createPointerPath()
  short.move(at(101), false)
  short.move(at(86), true)
  expect(short.leadsTo(at(86))).toBe(false)
  short.move(at(85), true)
  expect(short.leadsTo(at(85))).toBe(true)
})

test.each<[name: string, events: readonly PathEvent[]]>([
  ['with a mouse button held', [at(200, { buttons: 1 }), at(101, { buttons: 1 })]],
  ['with a finger', [at(200, { pointerType: 'touch' }), at(101, { pointerType: 'touch' })]],
  ['by a script', [at(200, { isTrusted: false }), at(101, { isTrusted: false })]],
])('movement outside the button does not count if it is made %s', (_, events) => {
  const path = createPointerPath()
  for (const event of events) path.move(event, false)
  path.move(at(80), true)
  path.move(at(60), true)
  expect(path.leadsTo(at(60))).toBe(false)
})

test('after a reset or after leaving the window, the mouse must move in from outside again', () => {
  const path = pathFromOutside()
  path.reset()
  path.move(at(80), true)
  path.move(at(60), true)
  expect(path.leadsTo(at(60))).toBe(false)

  const left = pathFromOutside()
  left.out(at(101))
  left.move(at(60), true)
  expect(left.leadsTo(at(60))).toBe(false)
  // Moving to a different element does not count as leaving the window.
  const stayed = pathFromOutside()
  stayed.out(at(101, { relatedTarget: {} as EventTarget }))
  stayed.move(at(60), true)
  expect(stayed.leadsTo(at(60))).toBe(true)
})

test('movement on the button does not count until the mouse has been outside the button', () => {
  const path = createPointerPath()
  path.move(at(0), true)
  path.move(at(90), true)
  path.move(at(101), false)
  path.move(at(95), true)
  expect(path.leadsTo(at(95))).toBe(false)
})
