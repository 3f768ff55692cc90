import { afterEach, expect, test, vi } from 'vitest'
import type { State } from '../latchkeyTypes.ts'
import { createStore } from '../lib/store.ts'
import { createConnectorContext } from './createConnectorContext.ts'

const page = document.documentElement

afterEach(() => {
  page.className = ''
  page.style.colorScheme = ''
})

function contextWith(mode: State['theme']['mode']) {
  const state = createStore({ theme: { mode, variables: {} } } as unknown as State)
  // The theme only depends on the state.
  const context = createConnectorContext({ options: {}, state } as unknown as Parameters<
    typeof createConnectorContext
  >[0])
  return { state, context }
}

test('if the theme mode is system, the frame is notified only when the page’s color scheme changes [R3.16]', async () => {
  const { context } = contextWith('system')
  page.style.colorScheme = 'light'
  const sent: (string | undefined)[] = []
  const stop = context.onTheme(() => sent.push(context.theme().themeMode))
  page.style.colorScheme = 'dark'
  await vi.waitFor(() => expect(sent).toEqual(['dark']))
  page.dataset.page = 'changed'
  page.style.colorScheme = ''
  page.className = 'light'
  await vi.waitFor(() => expect(sent).toEqual(['dark', 'light']))
  stop()
  page.className = 'dark'
  await new Promise((done) => requestAnimationFrame(done))
  expect(sent).toEqual(['dark', 'light'])
})

test('a theme mode that the host has set does not change with the page’s color scheme [R3.16]', async () => {
  const { context, state } = contextWith('light')
  const sent: (string | undefined)[] = []
  const stop = context.onTheme(() => sent.push(context.theme().themeMode))
  page.className = 'dark'
  await new Promise((done) => requestAnimationFrame(done))
  expect(sent).toEqual([])
  state.set({ ...state.get(), theme: { mode: 'dark', variables: {} } })
  expect(sent).toEqual(['dark'])
  stop()
})
