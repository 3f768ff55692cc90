import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import { createStore } from '../lib/store.ts'
import { awaitFrame } from './awaitFrame.ts'
import type { LoginState } from './loginTypes.ts'

function slowFrame() {
  const state = createStore({ error: undefined } as LoginState)
  const leaving = new AbortController()
  let notice = () => {}
  let load = () => {}
  const ready = awaitFrame(
    {
      initialised: (_, late = () => {}) =>
        new Promise((resolve) => {
          notice = late
          load = resolve
        }),
    },
    { state, signal: leaving.signal },
  )
  return { state, leaving, ready, notice: () => notice(), load: () => load() }
}

test('sets an error while the frame is slow to load, and clears it once the frame is ready', async () => {
  const { state, ready, notice, load } = slowFrame()
  notice()
  expect(state.get().error).toMatchObject({ code: 'frame/unreachable' })
  load()
  await ready
  expect(state.get().error).toBeUndefined()
})

test('does not clear a different error, and sets no error after the signal has aborted', async () => {
  const { state, ready, notice, load, leaving } = slowFrame()
  const error = new LatchkeyError('request/aborted')
  notice()
  state.set({ ...state.get(), error })
  leaving.abort()
  notice()
  load()
  await ready
  expect(state.get().error).toBe(error)
})
