import type { KeysTransfer } from '@latchkey/protocol/http/keys'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { DeviceRequestView } from './DeviceRequestView.tsx'
import type { DeviceApprovalSession } from './deviceRequests.ts'
import type { NavigationSource } from './navigationSource.ts'
import type { WalletPageContext } from './pageContext.ts'

// e2e/deviceApproval.spec.ts covers the steps that follow when the owner has navigated to the page.

let unmount = (): void => {}
afterEach(() => unmount())

const transfer = { id: 't', name: 'Ada’s laptop', createdAt: 0, offer: null } as unknown as KeysTransfer

type ApproveDevice = DeviceApprovalSession['approveDevice']

function drawRequest(
  arrival: NavigationSource,
  {
    approveDevice = vi.fn<ApproveDevice>(() => new Promise<never>(() => undefined)),
    offer = null,
    refuse = async () => {},
  }: { approveDevice?: ApproveDevice; offer?: string | null; refuse?: WalletPageContext['controller']['refuse'] } = {},
) {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  unmount = () => {
    root.unmount()
    place.remove()
  }
  flushSync(() =>
    root.render(
      <DeviceRequestView
        {...({ controller: { refuse } } as unknown as WalletPageContext)}
        transfer={{ ...transfer, offer } as KeysTransfer}
        approving={{ approveDevice } as unknown as DeviceApprovalSession}
        arrival={arrival}
        onProve={() => undefined}
        onBack={() => undefined}
      />,
    ),
  )
  return vi.mocked(approveDevice)
}

test.each(['page', 'unknown'] as const)(
  'if the navigation source is %s, the page cannot approve a device, even if the wallet was opened for the request',
  async (arrival) => {
    const approveDevice = drawRequest(arrival)
    await expect.element(page.getByRole('button', { name: 'Back' })).toBeVisible()
    expect(page.getByRole('button').elements()).toHaveLength(1)
    expect(approveDevice).not.toHaveBeenCalled()
  },
)

test('starts the exchange with the other device if the owner navigated to the page', async () => {
  const approveDevice = drawRequest('owner')
  await expect.poll(() => approveDevice.mock.calls.length).toBe(1)
  expect(page.getByRole('alert').elements()).toHaveLength(0)
})

test('does not handle a request that another wallet window is already handling', async () => {
  const approveDevice = drawRequest('owner', { offer: 'AAAA' })
  await expect.element(page.getByRole('alert')).toBeVisible()
  expect(approveDevice).not.toHaveBeenCalled()
})

test.each([
  ['high', 0, 'below'],
  ['low', 3, 'above'],
] as const)(
  'after a click on words that are %s in the list, the approve button is in a different place',
  async (_, picked, where) => {
    await page.viewport(900, 690)
    const sets = ['one', 'two', 'three', 'four'].map((word) => [word, `${word}2`, `${word}3`, `${word}4`])
    drawRequest('owner', {
      approveDevice: async ({ pick, confirm }) => {
        await pick(sets)
        await confirm()
      },
    })
    const words = page.getByRole('button', { name: (sets[picked] as string[]).join(' ') })
    await expect.element(words).not.toHaveAttribute('aria-disabled', 'true')
    // The window is focused first, because a click that focuses a window is ignored.
    window.focus()
    // A busy browser merges all pointer movements within one animation frame.
    for (const item of [page.getByRole('heading'), words]) {
      await item.hover()
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    }
    await words.click()
    const yes = page.getByRole('button', { name: 'Approve device' })
    await expect.element(yes).toBeVisible()
    const at = (item: typeof yes): number => item.element().getBoundingClientRect().top
    expect(at(yes) > at(page.getByText('Ada’s laptop')) ? 'below' : 'above').toBe(where)
  },
)

test.each(['Cancel', 'removal of the view'])('%s ends the exchange with the other device', async (how) => {
  let signal: AbortSignal | undefined
  const refuse = vi.fn(async () => {})
  drawRequest('owner', {
    refuse,
    approveDevice: (asking) => {
      signal = asking.signal
      return new Promise(() => undefined)
    },
  })
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toBeVisible()
  expect(signal?.aborted).toBe(false)
  if (how === 'Cancel') await page.getByRole('button', { name: 'Cancel' }).click()
  else unmount()
  await expect.poll(() => signal?.aborted).toBe(true)
  expect(refuse).toHaveBeenCalledTimes(how === 'Cancel' ? 1 : 0)
})
