import type { VaultTransfer } from '@latchkey/protocol/http/vault'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { Arrival } from './arrival.ts'
import type { Approving } from './desk.ts'
import type { Inside } from './Page.tsx'
import { RequestView } from './RequestView.tsx'

// What follows where the owner came by themselves is walked in e2e/devices.spec.ts.

let takeAway = (): void => {}
afterEach(() => takeAway())

const transfer = { id: 't', name: 'Ada’s laptop', createdAt: 0, offer: null } as unknown as VaultTransfer

function drawRequest(arrival: Arrival) {
  const letIn = vi.fn(() => new Promise<never>(() => undefined))
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  takeAway = () => {
    root.unmount()
    place.remove()
  }
  flushSync(() =>
    root.render(
      <RequestView
        {...({} as Inside)}
        transfer={transfer}
        approving={{ letIn } as unknown as Approving}
        arrival={arrival}
        onProve={() => undefined}
        onBack={() => undefined}
      />,
    ),
  )
  return letIn
}

test.each(['page', 'unknown'] as const)(
  'a window that came about by %s lets no device in, also when the wallet was opened for it',
  async (arrival) => {
    const letIn = drawRequest(arrival)
    await expect.element(page.getByRole('button', { name: 'Back' })).toBeVisible()
    expect(page.getByRole('button').elements()).toHaveLength(1)
    expect(letIn).not.toHaveBeenCalled()
  },
)

test('where the owner came by themselves the other device is talked to', async () => {
  const letIn = drawRequest('owner')
  await expect.poll(() => letIn.mock.calls.length).toBe(1)
})
