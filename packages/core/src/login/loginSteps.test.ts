import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import type { ErrorPlace } from './loginContext.ts'
import { createLoginSteps } from './loginSteps.ts'
import type { LoginState } from './loginTypes.ts'

function runnerOf() {
  const page = new AbortController()
  const toasts: string[] = []
  let state: Partial<LoginState> = {}
  const runner = createLoginSteps({
    toast: (kind, text) => toasts.push(`${kind}: ${text}`),
    signal: page.signal,
    patch(change) {
      state = { ...state, ...change }
    },
  })
  return { ...runner, page, toasts, state: () => state }
}
const error = new LatchkeyError('input/invalid', { path: 'email', message: 'Invalid email' })
const fail = () => Promise.reject(error)

test.each<[ErrorPlace, boolean, number]>([
  ['field', true, 0],
  ['toast', false, 1],
  ['both', true, 1],
  ['nowhere', false, 0],
])('run() displays an error in the place that errorPlace() returns: %s', async (place, hasFieldError, toastCount) => {
  const { run, state, toasts } = runnerOf()
  await expect(run('email', fail, () => place)).rejects.toBe(error)
  expect(state()).toEqual({ busy: undefined, error: hasFieldError ? error : undefined })
  expect(toasts).toHaveLength(toastCount)
})

test('no error is displayed for a cancelled step or after the instance has stopped', async () => {
  const { run, page, toasts } = runnerOf()
  await run('email', () => Promise.reject(new LatchkeyError('request/aborted'))).catch(() => {})
  page.abort()
  await run('email', fail).catch(() => {})
  expect(toasts).toEqual([])
})

test('the end of an earlier step does not reset the step in progress', async () => {
  const { run, state } = runnerOf()
  let end = () => {}
  const first = run('email', () => new Promise<void>((resolve) => (end = resolve)))
  void run('code', () => new Promise(() => {}))
  end()
  await first
  expect(state().busy).toBe('code')
})

test('toasts use the text that the formatter returns', async () => {
  const { run, setErrorFormatter, confirmResent, toasts } = runnerOf()
  confirmResent()
  setErrorFormatter((error) => (error ? 'Keine E-Mail-Adresse' : 'Gesendet'))
  confirmResent()
  await run('email', fail).catch(() => {})
  expect(toasts).toEqual(['success: Code email resent', 'success: Gesendet', 'error: Keine E-Mail-Adresse'])
})
