import { failure } from '@latchkey/protocol/errors/errorMessages'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test } from 'vitest'
import { fakeLatchkey } from '../testing/index.ts'
import { createErrorAlerts } from './errorAlerts.ts'

function alertsOf() {
  const { state, modal } = fakeLatchkey({
    state: (initial) => ({ ...initial, modal: { ...initial.modal, open: false } }),
  })
  const calls: string[] = []
  const errors = createErrorAlerts({
    notifications: {
      alert: ({ code }) => calls.push(`alert ${code}`),
      toast: (_, text) => calls.push(`toast ${text}`),
    },
    state,
    log: { error: () => void calls.push('log') },
    analytics: { report: (text) => void calls.push(`report ${text}`) },
  })
  return { ...errors, modal, calls }
}

test('a rejected origin is reported only once, even if several services reject it', () => {
  const { report, invalidApp, calls } = alertsOf()
  report('relay_refused', new LatchkeyError('app/origin-not-allowed', { origin: 'https://shop.example' }))
  invalidApp('The directory rejected this page.')
  expect(calls).toEqual(['alert app/origin-not-allowed'])
})

test('an unsupported method displays a toast only while the modal is open', () => {
  const { report, modal, calls } = alertsOf()
  const error = failure('frame/not-allowed', { method: 'eth_sign' })
  report('rpc_not_allowed', error)
  expect(calls).toEqual(['log'])
  modal.open()
  report('rpc_not_allowed', error)
  expect(calls).toEqual(['log', 'log', 'toast Action not allowed'])
})

test('any other error is displayed to the developer and reported to the operator', () => {
  const { report, calls } = alertsOf()
  report('iframe_load_failed', failure('frame/unreachable', { afterMs: 20_000 }))
  expect(calls).toEqual(['alert frame/unreachable', 'report iframe_load_failed'])
})
