import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { guardPress, type PressKind } from './pressGuard.ts'

// What the browser itself makes is pressed in e2e/approvals.spec.ts; here are the presses that no test can make there: those of assistive
// technology. `isTrusted` cannot be forged, so these events only pretend it.

let end = (): void => {}
let at = 0
let armed: number | undefined
let pressed: PressKind[] = []
let strayed: string[] = []
let button: HTMLButtonElement

beforeEach(() => {
  ;[at, armed, pressed, strayed] = [5_000, 2_000, [], []]
  button = document.createElement('button')
  document.body.append(button)
  const listeners = new Map<string, Set<(event: Event) => void>>()
  const window = {
    performance: { now: () => at },
    addEventListener: (name: string, listener: (event: Event) => void) =>
      listeners.set(name, (listeners.get(name) ?? new Set()).add(listener)),
    removeEventListener: (name: string, listener: (event: Event) => void) => listeners.get(name)?.delete(listener),
  }
  const stop = guardPress({
    window: window as never,
    button,
    armedForMs: () => armed,
    strayed: (why) => strayed.push(why),
    pressed: (kind) => pressed.push(kind),
  })
  params = (name, event) => {
    const all = { target: button, isTrusted: true, preventDefault: vi.fn(), ...event }
    for (const listener of listeners.get(name) ?? []) listener(all as unknown as Event)
  }
  end = () => {
    stop()
    button.remove()
    expect([...listeners.values()].every(({ size }) => size === 0)).toBe(true)
  }
})
afterEach(() => end())

let params: (name: string, event: object) => void = () => {}

test('a click of assistive technology is told apart, and counts only while everything is seen', () => {
  params('click', { detail: 0 })
  expect(pressed).toEqual(['assistive'])
  armed = undefined
  params('click', { detail: 0 })
  expect(pressed).toEqual(['assistive'])
  params('click', { detail: 0, isTrusted: false })
  expect(pressed).toEqual(['assistive'])
})

test('a click that a handled key brings along is no press of assistive technology', () => {
  params('keyup', { key: ' ', code: 'Space' })
  params('click', { detail: 0 })
  expect(pressed).toEqual([])
})

test('a finger waits longer than a mouse, and a press elsewhere starts every wait anew', () => {
  const finger = { pointerType: 'touch', pointerId: 7, isPrimary: true, button: 0, clientX: 1, clientY: 1 }
  armed = 800
  params('pointerdown', finger)
  expect(strayed).toEqual(['early'])
  armed = 1_300
  params('pointerdown', finger)
  params('pointerup', finger)
  params('click', { detail: 1, pointerId: 7 })
  expect(pressed).toEqual(['touch'])
  params('pointerdown', { ...finger, target: document.body })
  expect(strayed).toEqual(['early', 'early'])
})

test('a mouse that left the window, as into a picture on top of it that then goes away, has to come in anew', () => {
  const mouse = { pointerType: 'mouse', pointerId: 1, isPrimary: true, button: 0, buttons: 0 }
  const at = (clientX: number, clientY: number, event: object = {}) => ({ ...mouse, clientX, clientY, ...event })
  const press = () => {
    params('pointerdown', at(50, 50))
    params('pointerup', at(50, 50))
    params('click', { detail: 1, pointerId: 1 })
  }
  const comeIn = () => {
    params('pointermove', at(50, 10, { target: document.body }))
    params('pointermove', at(50, 30, { target: document.body }))
  }
  comeIn()
  params('pointerout', at(50, 30, { target: document.body, relatedTarget: null }))
  params('pointermove', at(49, 49))
  params('pointermove', at(50, 50))
  press()
  expect([pressed, strayed]).toEqual([[], ['leave']])
  // From one part of the window to another is no way out of it.
  comeIn()
  params('pointerout', at(50, 30, { target: document.body, relatedTarget: button }))
  params('pointermove', at(50, 50))
  press()
  expect(pressed).toEqual(['mouse'])
})
