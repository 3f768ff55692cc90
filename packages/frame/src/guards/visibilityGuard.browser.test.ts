import { afterEach, expect, test, vi } from 'vitest'
import { createVisibilityGuard, type VisibilityGuardWindow } from './visibilityGuard.ts'

afterEach(() => document.body.replaceChildren())

/** Renders a screen in a window that the guard treats as top-level. */
function watched() {
  const screen = document.createElement('main')
  const fact = document.createElement('div')
  const text = document.createElement('p')
  const button = document.createElement('button')
  fact.setAttribute('data-deciding', '')
  text.textContent = 'You send 1 ETH to Bob.'
  button.setAttribute('data-guarded', '')
  button.textContent = 'Approve'
  fact.append(text)
  screen.append(fact, button)
  document.body.append(screen)
  const own: VisibilityGuardWindow = new Proxy(window, {
    get(target, name) {
      if (name === 'parent') return own
      if (name === 'document') return documentWithFocus
      const value = Reflect.get(target, name)
      return typeof value === 'function' && !/^[A-Z]/.test(String(name)) ? value.bind(target) : value
    },
  }) as never
  const documentWithFocus = new Proxy(document, {
    get(target, name) {
      if (name === 'hasFocus') return () => true
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { guard: createVisibilityGuard({ window: own, screen, dwellMs: 20, changed: () => {} }), text, button }
}

/** Covers the whole window, as a loading indicator does. */
function cover(element: { style: string } = { style: 'inset: 0' }): HTMLElement {
  const sheet = document.createElement('p')
  sheet.style.cssText = `position: fixed; margin: 0; background: white; z-index: 1; ${element.style}`
  document.body.append(sheet)
  return sheet
}

test('an overlay in the window disables the button both before and after the content has been visible', async () => {
  const sheet = cover()
  const { guard } = watched()
  document.body.append(sheet)
  expect(guard.check()).toBe('covered')
  sheet.remove()
  await vi.waitFor(() => expect(guard.check()).toBe('armed'))
  document.body.append(sheet)
  expect(guard.check()).toBe('covered')
  sheet.remove()
  // The wait starts again.
  expect(guard.check()).toBe('waiting')
  guard.stop()
})

test.each(['text', 'button'] as const)('covering only the %s disables the button', async (what) => {
  const found = watched()
  await vi.waitFor(() => expect(found.guard.check()).toBe('armed'))
  const { left, top, width, height } = found[what].getBoundingClientRect()
  cover({ style: `left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px` })
  expect(found.guard.check()).toBe('covered')
  found.guard.stop()
})
