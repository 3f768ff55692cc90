import { expect, test } from 'vitest'
import { createKeyPress } from './keyPress.ts'
import type { PressKind } from './pressTarget.ts'

const button = 'button'

function keys() {
  let now = 10_000
  let armed: number | undefined = 2_000
  const pressed: PressKind[] = []
  const ignored: string[] = []
  const press = createKeyPress({
    isOn: ({ target }) => (target as unknown) === button,
    isOnAnother: ({ target }) => (target as unknown) === 'another button',
    armedForMs: () => armed,
    ignored: (why) => ignored.push(why),
    pressed: (kind) => pressed.push(kind),
    now: () => now,
  })
  let prevented = 0
  const event = (key: string, more: object) =>
    ({
      key,
      code: key === ' ' ? 'Space' : key,
      target: button,
      isTrusted: true,
      repeat: false,
      preventDefault: () => (prevented += 1),
      ...more,
    }) as unknown as KeyboardEvent
  const down = (key: string, more: object = {}) => press.onKeyDown(event(key, more))
  const up = (key: string, more: object = {}) => press.onKeyUp(event(key, more))
  return {
    ...press,
    down,
    up,
    pressed,
    ignored,
    prevented: () => prevented,
    pass: (ms: number) => {
      now += ms
    },
    disarm: () => {
      armed = undefined
    },
    /** Moves focus to the button with Tab. */
    tab: () => {
      down('Tab', { target: 'elsewhere' })
      press.onFocus()
    },
  }
}

test.each(['Enter', ' '])('pressing and releasing %j counts if the button was focused with Tab', (key) => {
  const { pass, tab, down, up, pressed, ignored, prevented, hasJustHandledKey } = keys()
  pass(1_000)
  tab()
  down(key)
  expect(pressed).toEqual([])
  up(key)
  expect([pressed, ignored]).toEqual([['keyboard'], []])
  // The default action would also click the button.
  expect(prevented()).toBe(2)
  expect(hasJustHandledKey()).toBe(true)
  pass(500)
  expect(hasJustHandledKey()).toBe(false)
})

test.each<[name: string, press: (found: ReturnType<typeof keys>) => void]>([
  ['focus was not moved with Tab', ({ onFocus }) => onFocus()],
  [
    'focus moved long after Tab was pressed',
    ({ down, pass, onFocus }) => {
      down('Tab', { target: 'elsewhere' })
      pass(500)
      onFocus()
    },
  ],
  [
    'the button has lost focus',
    ({ tab, onBlur }) => {
      tab()
      onBlur()
    },
  ],
  [
    'some required content is not visible',
    ({ tab, disarm }) => {
      tab()
      disarm()
    },
  ],
])('a key press does not count and restarts the wait if %s', (_, prepare) => {
  const found = keys()
  found.pass(1_000)
  prepare(found)
  found.down('Enter')
  found.up('Enter')
  expect([found.pressed, found.ignored]).toEqual([[], ['early']])
})

test('a key that was held before the screen opened does not count', () => {
  const { tab, down, up, pass, pressed, ignored } = keys()
  pass(999)
  tab()
  down('Enter')
  up('Enter')
  expect([pressed, ignored]).toEqual([[], ['early']])
  // The key counts once it has been released.
  down('Enter')
  up('Enter')
  expect(pressed).toEqual(['keyboard'])
})

test('a repeating key does not count', () => {
  const { tab, down, up, pass, pressed } = keys()
  pass(1_000)
  down('Enter', { target: 'elsewhere' })
  tab()
  down('Enter', { repeat: true })
  up('Enter')
  expect(pressed).toEqual([])
})

test.each<[name: string, interrupt: (found: ReturnType<typeof keys>) => void]>([
  ['the button loses focus', ({ onBlur }) => onBlur()],
  ['the press is abandoned', ({ abandon }) => abandon()],
  ['the key is released elsewhere', ({ up }) => up('Enter', { target: 'elsewhere' })],
  ['a different key is released', ({ up }) => up(' ')],
  ['some content is covered', ({ disarm }) => disarm()],
])('a press does not count if %s before the key is released', (_, interrupt) => {
  const found = keys()
  found.pass(1_000)
  found.tab()
  found.down('Enter')
  interrupt(found)
  found.up('Enter')
  expect(found.pressed).toEqual([])
})

test('events dispatched by scripts do not count', () => {
  const { tab, down, up, pass, pressed } = keys()
  pass(1_000)
  tab()
  down('Enter', { isTrusted: false })
  up('Enter')
  down('Enter')
  up('Enter', { isTrusted: false })
  expect(pressed).toEqual([])
})

test('a key press elsewhere restarts the wait, unless it is on another guarded button', () => {
  const { down, ignored } = keys()
  down('Enter', { target: 'elsewhere' })
  expect(ignored).toEqual(['early'])
  down('Enter', { target: 'another button' })
  down('a', { target: 'elsewhere' })
  expect(ignored).toEqual(['early'])
})
