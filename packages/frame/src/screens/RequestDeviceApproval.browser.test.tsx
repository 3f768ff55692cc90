import { KeyError } from '@latchkey/vault/errors'
import axe from 'axe-core'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { createApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView, DeviceApprovalCallbacks, RecoveryOptions } from '../approvals/approvalViewModel.ts'
import { createPageSettings } from '../pageSettings.ts'
import { mountScreens } from './mountScreens.tsx'

let takeAway = (): void => {}
afterEach(() => takeAway())

/** Renders the recovery screen. The test simulates the other device. */
async function recovery(mode: 'light' | 'dark', changes: Partial<RecoveryOptions> = {}) {
  await page.viewport(360, 648)
  const approvals = createApprovalQueue<ApprovalView>()
  const settings = createPageSettings(new URL('https://keys.bakery.example/sdk'))
  settings.syncTheme({ themeMode: mode })
  const attempts: {
    asking: DeviceApprovalCallbacks
    fail: (error: unknown) => void
    done: (vault: unknown) => void
  }[] = []
  const recovering = {
    origin: 'https://bakery.example',
    email: 'ada@bakery.example',
    address: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B',
    kinds: ['device'] as const,
    because: 'new-device' as const,
    openWithKit: async () => undefined,
    openWithPasskey: undefined,
    openWithDevice: (asking: DeviceApprovalCallbacks) =>
      new Promise<unknown>((done, fail) => {
        attempts.push({ asking, fail, done })
      }),
    ...changes,
  }
  const perform = vi.fn(async (vault: unknown) => vault)
  const answer = approvals.ask({ subject: { kind: 'recover', recovering }, perform }).catch((error: Error) => error)
  takeAway = mountScreens(window, { approvals, settings })
  return { attempts, answer }
}

/** Renders the recovery screen and requests approval from another device. */
async function shown(mode: 'light' | 'dark') {
  const { attempts, answer } = await recovery(mode)
  await page.getByRole('button', { name: /Use another device/ }).click()
  await vi.waitFor(() => expect(attempts).toHaveLength(1))
  return { attempts, answer }
}

async function readable(): Promise<void> {
  await vi.waitFor(async () => {
    await Promise.all(document.getAnimations().map(({ finished }) => finished))
    expect(document.getAnimations()).toEqual([])
  })
  const { violations } = await axe.run(document, {
    rules: { 'document-title': { enabled: false }, 'html-has-lang': { enabled: false } },
  })
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
}

test.each(['light', 'dark'] as const)(
  'each step of an approval on another device is accessible in %s mode',
  async (mode) => {
    const { attempts, answer } = await shown(mode)
    const [talk] = attempts
    talk?.asking.onPosted({ id: 'a-transfer' })
    await expect.element(page.getByRole('img', { name: /QR code/ })).toBeVisible()
    await readable()
    const compared = talk?.asking.compare(['tulip', 'anchor', 'bread', 'orbit'])
    await expect.element(page.getByRole('list', { name: 'Four words' })).toBeVisible()
    await readable()
    await expect
      .element(page.getByRole('button', { name: 'Yes, the words match' }))
      .not.toHaveAttribute('aria-disabled')
    // The pointer moves in from outside the button, like a real pointer.
    await page.getByRole('heading', { level: 1 }).hover()
    await page.getByRole('button', { name: 'Yes, the words match' }).click()
    expect(await compared).toBe(true)
    await expect.element(page.getByText('Now approve on the other device.')).toBeVisible()
    await readable()
    talk?.done('the vault')
    expect(await answer).toBe('the vault')
  },
)

test.each([
  [new KeyError('approval/refused'), 'The other device declined'],
  [new KeyError('approval/expired'), 'did not respond within 10 minutes'],
  [new KeyError('approval/mismatch'), 'The words do not match'],
  [new KeyError('vault/forged'), 'does not open this wallet'],
  [new Error('offline'), 'The connection was lost'],
])('shows a message for %s and lets the user retry', async (error, sentence) => {
  const { attempts } = await shown('light')
  attempts[0]?.fail(error)
  await expect.element(page.getByRole('alert')).toHaveTextContent(sentence)
  await readable()
  await page.getByRole('button', { name: 'Ask again' }).click()
  await vi.waitFor(() => expect(attempts).toHaveLength(2))
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('only a deliberate press confirms that the words match', async () => {
  const { attempts } = await shown('light')
  const compared = vi.fn()
  attempts[0]?.asking.onPosted({ id: 'a-transfer' })
  void attempts[0]?.asking.compare(['tulip', 'anchor', 'bread', 'orbit']).then(compared, () => undefined)
  const button = page.getByRole('button', { name: 'Yes, the words match' })
  await expect.element(button).not.toHaveAttribute('aria-disabled', 'true')
  for (const type of ['pointerdown', 'pointerup', 'click'])
    button.element().dispatchEvent(new PointerEvent(type, { bubbles: true }))
  await expect.element(button).toBeVisible()
  expect(compared).not.toHaveBeenCalled()
})

test('going back cancels the request', async () => {
  const { attempts } = await shown('light')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.element(page.getByRole('heading', { name: 'Open your wallet' })).toBeVisible()
  expect(attempts[0]?.asking.signal.aborted).toBe(true)
})

test('the recovery screen names the account, and the email address if there is one', async () => {
  await recovery('light')
  await expect.element(page.getByRole('definition').nth(0)).toHaveTextContent('ada@bakery.example')
  await expect.element(page.getByRole('definition').nth(1)).toHaveTextContent('0xAb58')
  const terms = () =>
    page
      .getByRole('term')
      .all()
      .map((term) => term.element().textContent)
  expect(terms()).toEqual(['Email', 'Account'])
  takeAway()
  await recovery('light', { email: null })
  await expect.element(page.getByRole('definition')).toHaveTextContent('0xAb58')
  expect(terms()).toEqual(['Account'])
})

test('a wallet is opened with a passkey only once, however often the user clicks, until that attempt fails', async () => {
  let fail = (_error: Error): void => {}
  const openWithPasskey = vi.fn(() => new Promise<unknown>((_, reject) => (fail = reject)))
  await recovery('light', { openWithPasskey })
  const row = page.getByRole('button', { name: /Use a passkey/ })
  await row.click()
  await expect.element(row).toHaveAttribute('aria-busy', 'true')
  await row.click({ force: true })
  expect(openWithPasskey).toHaveBeenCalledTimes(1)
  fail(new Error('cancelled'))
  await expect.element(page.getByRole('alert')).toHaveTextContent('The passkey did not open the wallet.')
  await row.click()
  await vi.waitFor(() => expect(openWithPasskey).toHaveBeenCalledTimes(2))
})
