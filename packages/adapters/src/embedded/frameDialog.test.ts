import { expect, test } from 'vitest'
import { createFrameDialog } from './frameDialog.ts'

function page() {
  const events: string[] = []
  const closes: (() => void)[] = []
  const dialog = createFrameDialog({
    place: () => ({
      show(dismissed) {
        closes.push(dismissed)
        events.push('shown')
      },
      hide: () => void events.push('hidden'),
    }),
    host: {
      showApproval(_, close) {
        closes.push(close)
        events.push('approving')
        return () => void events.push('over')
      },
    },
  })
  return { dialog, events, close: () => closes.at(-1)?.() }
}

test('shows the frame until the last request has hidden it', () => {
  const { dialog, events } = page()
  const hides = [dialog.show(() => undefined), dialog.show(() => undefined)]
  hides[0]?.()
  hides[0]?.()
  expect(events).toEqual(['shown', 'shown'])
  hides[1]?.()
  expect(events).toEqual(['shown', 'shown', 'hidden'])
})

test('closing the frame dismisses every request that it is shown for', () => {
  const { dialog, events, close } = page()
  dialog.show(() => events.push('first'))()
  dialog.show(() => events.push('second'))
  dialog.show(() => events.push('third'))
  close()
  expect(events.slice(-2)).toEqual(['second', 'third'])
  expect(events).not.toContain('first')
})

test('notifies an open modal of an approval, which the modal can dismiss', () => {
  const { dialog, events, close } = page()
  const hide = dialog.showApproval(() => events.push('dismissed'))
  close()
  hide()
  expect(events).toEqual(['shown', 'approving', 'dismissed', 'over', 'hidden'])
})
