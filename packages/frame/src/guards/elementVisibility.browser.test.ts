import { afterEach, expect, test } from 'vitest'
import { isCovered, isFullyInView, isScrolledToEnd, visibleBottom } from './elementVisibility.ts'
import { findGuardedButtons, findRequiredElements, findScrollBoxes } from './requiredVisibleElements.ts'

afterEach(() => document.body.replaceChildren())

/** Renders a screen with a heading, two facts, details, a long text block and a footer with a height of 50 pixels. */
function drawScreen() {
  const screen = document.createElement('main')
  const line = (text: string, tag = 'p'): HTMLElement => {
    const element = document.createElement(tag)
    element.textContent = text
    return element
  }
  const head = line('Head')
  head.className = 'screen-head'
  const region = line('', 'div')
  region.setAttribute('data-deciding', '')
  const facts = line('', 'div')
  facts.className = 'facts'
  facts.append(line('Amount'), line('Recipient'))
  const optional = line('', 'details')
  optional.append(line('Summary', 'summary'), line('Optional'))
  const required = line('', 'details')
  required.setAttribute('data-whole', '')
  required.append(line('All of it', 'summary'), line('Data'))
  const hidden = line('Hidden')
  hidden.hidden = true
  const section = line('', 'section')
  const text = line('line\n'.repeat(50), 'pre')
  text.setAttribute('data-to-end', '')
  text.style.cssText = 'height: 40px; overflow: auto'
  section.append(required, text)
  region.append(facts, optional, hidden, section)
  const footer = line('', 'footer')
  footer.className = 'screen-foot'
  footer.style.cssText = 'position: fixed; inset: auto 0 0 0; height: 50px'
  const button = line('Approve', 'button')
  button.setAttribute('data-guarded', '')
  footer.append(button)
  screen.append(head, region, line('Explanation'), footer)
  document.body.append(screen)
  return { screen, view: { screen, window }, text, required, button, amount: facts.children[0] as HTMLElement }
}

test('headings, facts, summaries and text blocks are required, but explanations and hidden parts are not', () => {
  const { screen, text, button } = drawScreen()
  const names = findRequiredElements(screen).map((element) => element.textContent?.split('\n')[0])
  expect(names).toEqual(['Head', 'Amount', 'Recipient', 'Summary', 'All of itData', 'line'])
  expect(findScrollBoxes(screen)).toEqual([text])
  expect(findGuardedButtons(screen)).toEqual([button])
})

test('an element above the footer is in view, but an element behind it is not', () => {
  const { view, amount, button } = drawScreen()
  expect(visibleBottom(view, amount)).toBe(window.innerHeight - 50)
  expect(visibleBottom(view, button)).toBe(window.innerHeight)
  expect([isFullyInView(view, amount), isFullyInView(view, button)]).toEqual([true, true])
  for (const [left, top] of [
    [0, window.innerHeight - 60],
    [0, -10],
    [-10, 0],
    [window.innerWidth - 10, 0],
  ]) {
    amount.style.cssText = `position: fixed; margin: 0; width: 100px; height: 20px; left: ${left}px; top: ${top}px`
    expect(isFullyInView(view, amount)).toBe(false)
  }
})

test('details that must be visible as a whole are only in view while they are open', () => {
  const { view, required } = drawScreen()
  expect(isFullyInView(view, required)).toBe(false)
  required.setAttribute('open', '')
  expect(isFullyInView(view, required)).toBe(true)
})

test('an element counts as covered if an element outside the screen is over its center or one of its corners', () => {
  const { view, amount } = drawScreen()
  const { left, top, width, height } = amount.getBoundingClientRect()
  const cover = document.createElement('div')
  document.body.append(cover)
  const coverAt = (across: number, down: number): boolean => {
    cover.style.cssText = `position: fixed; left: ${left + width * across - 3}px; top: ${top + height * down - 3}px; width: 6px; height: 6px`
    return isCovered(view, amount)
  }
  const points = [
    [0.5, 0.5],
    [0.05, 0.1],
    [0.95, 0.1],
    [0.05, 0.9],
    [0.95, 0.9],
  ] as const
  expect(points.map(([across, down]) => coverAt(across, down))).toEqual([true, true, true, true, true])
  cover.remove()
  expect(isCovered(view, amount)).toBe(false)
})

test('a box counts as read once it is scrolled to its last line, if that line is on screen', () => {
  const { view, text } = drawScreen()
  expect(isScrolledToEnd(view, text)).toBe(false)
  text.scrollTop = text.scrollHeight
  expect(isScrolledToEnd(view, text)).toBe(true)
  text.style.cssText += '; position: fixed; bottom: 20px'
  expect(isScrolledToEnd(view, text)).toBe(false)
})
