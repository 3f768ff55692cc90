import { expect, test } from 'vitest'
import { fakeLatchkey } from '../testing/index.ts'
import { createApprovalNavigation } from './approvalNavigation.ts'

function approvals(open: boolean) {
  const { state, modal } = fakeLatchkey({ state: (initial) => ({ ...initial, modal: { ...initial.modal, open } }) })
  const calls: string[] = []
  const approving = createApprovalNavigation({ state, modal: { ...modal, afterApproval: () => calls.push('left') } })
  const done = approving('1', () => calls.push('cancelled'))
  const view = () => state.get().modal.stack.at(-1)?.view
  return { modal, done, calls, view }
}

test('an open modal shows the approval view until the approval ends', () => {
  const { done, calls, view } = approvals(true)
  expect(view()).toBe('ApproveTransaction')
  done()
  expect(calls).toEqual(['left'])
})

test('closing the modal cancels the approval, and an approval does not open a closed modal', () => {
  const { modal, done, calls } = approvals(true)
  modal.close({ force: true })
  done()
  expect(calls).toEqual(['cancelled'])
  const closed = approvals(false)
  expect(closed.view()).toBe('Connect')
  closed.done()
  expect(closed.calls).toEqual([])
})
