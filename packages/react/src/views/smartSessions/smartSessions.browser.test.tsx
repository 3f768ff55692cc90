import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings } from '../../testing/axe.ts'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { withConnection } from '../testing/samples.ts'
import { SmartSessionCreated } from './SmartSessionCreated.tsx'
import { SmartSessionList } from './SmartSessionList.tsx'

const address = '0xab5801a7d398351b8be11c439e05c5b3259aec9b'
const day = 86_400
const session = {
  context: `0x${'ab'.repeat(32)}`,
  chainId: '0x1',
  address,
  expiry: 1_800_000_000,
  permissions: [
    { type: 'native-token-recurring-allowance', data: { allowance: '0x16345785d8a0000', period: day }, used: '0x0' },
  ],
  policies: [{ type: 'recipients', data: { addresses: [address] } }],
  state: 'active',
  calls: 2,
  createdAt: 1_799_000_000,
}
const over = { ...session, context: `0x${'cd'.repeat(32)}`, state: 'expired' }
const on = { options: { features: { smartSessions: true } }, state: withConnection } as const

test('SmartSessionList shows the limits in plain language, a tab for each state, and that the wallet enforces the limits', async () => {
  await renderView(SmartSessionList, undefined, { ...on, request: async () => [session, over] })
  await expect.element(page.getByText('Limit for 1 day')).toBeVisible()
  await expect.element(page.getByText('Your wallet enforces this, not the chain.')).toBeVisible()
  await expect.element(page.getByText('Only to')).toBeVisible()
  expect(await axeFindings()).toEqual([])
  await page.getByRole('tab', { name: 'Expired' }).click()
  await expect.element(page.getByText('Ended')).toBeVisible()
  await expect.element(button('Revoke')).not.toBeInTheDocument()
  await page.getByRole('tab', { name: 'Revoked' }).click()
  await expect.element(page.getByText('You have not revoked any session.')).toBeVisible()
})

test('while the sessions load, placeholders are shown instead of the empty state', async () => {
  let answer: (sessions: readonly unknown[]) => void = () => {}
  const pending = new Promise<readonly unknown[]>((resolve) => {
    answer = resolve
  })
  await renderView(SmartSessionList, undefined, { ...on, request: () => pending })
  await expect.element(page.getByText('Loading…')).toBeInTheDocument()
  expect(document.querySelectorAll('.skeleton').length).toBe(2)
  expect(page.getByText('This app cannot do anything without asking you.').elements()).toEqual([])
  answer([session])
  await expect.element(page.getByText('Limit for 1 day')).toBeVisible()
  expect(page.getByText('Loading…').elements()).toEqual([])
  expect(document.querySelectorAll('.skeleton').length).toBe(0)
})

test('several sessions are grouped by month with the newest first, and all of them are collapsed', async () => {
  const at = (year: number, month: number, dayOfMonth: number) => ({
    ...session,
    context: `0x${`${year}${month}${dayOfMonth}`.padStart(64, '0')}`,
    createdAt: Date.UTC(year, month - 1, dayOfMonth, 12) / 1000,
  })
  await renderView(SmartSessionList, undefined, {
    ...on,
    request: async () => [at(2026, 10, 5), at(2026, 11, 20), at(2026, 10, 12)],
  })
  await expect.element(page.getByRole('list', { name: 'November 2026' })).toBeVisible()
  const dates = () => [...document.querySelectorAll('.session-date')].map((date) => date.textContent?.slice(0, 6))
  expect(dates()).toEqual(['Nov 20', 'Oct 12', 'Oct 5,'])
  const months = page.getByRole('list').elements()
  expect(months.map((list) => list.querySelectorAll('.session').length).filter((count) => count > 0)).toEqual([1, 2])
  expect(document.querySelectorAll('details[open]')).toHaveLength(0)
})

test('while a session is being revoked, the button cannot be clicked again', async () => {
  const revoked = vi.fn(() => new Promise(() => undefined))
  await renderView(SmartSessionList, undefined, {
    ...on,
    request: async ({ method }) => (method === 'wallet_revokePermissions' ? revoked() : [session]),
  })
  await button('Revoke').click()
  await expect.element(button('Revoking…')).toHaveAttribute('aria-busy', 'true')
  await button('Revoking…').click({ force: true })
  expect(revoked).toHaveBeenCalledOnce()
})

test('revoking a session sends a request to the wallet and reloads the list', async () => {
  let state = 'active'
  const request = vi.fn(async ({ method }: { method: string }) => {
    if (method === 'wallet_revokePermissions') state = 'revoked'
    return method === 'wallet_revokePermissions' ? null : [{ ...session, state }]
  })
  await renderView(SmartSessionList, undefined, { ...on, request })
  await button('Revoke').click()
  await expect.element(page.getByText('This app cannot do anything without asking you.')).toBeVisible()
  expect(request).toHaveBeenCalledWith({ method: 'wallet_revokePermissions', params: [{ context: session.context }] })
})

test('if the user declines to revoke a session, it stays active and an error is shown', async () => {
  const latchkey = await renderView(SmartSessionList, undefined, {
    ...on,
    request: async ({ method }) => {
      if (method === 'wallet_revokePermissions') throw Object.assign(new Error('no'), { code: 4001 })
      return [session]
    },
  })
  await button('Revoke').click()
  await vi.waitFor(() =>
    expect(callsTo(latchkey.calls, 'toast')).toEqual([['toast', 'error', 'Could not revoke. It is still allowed.']]),
  )
  await expect.element(button('Revoke')).toBeVisible()
})

test('an error and a retry button are shown if the sessions fail to load', async () => {
  let fails = true
  const latchkey = await renderView(SmartSessionList, undefined, {
    ...on,
    request: async () => {
      if (fails) throw new Error('offline')
      return []
    },
  })
  await expect.element(button('Try again')).toBeVisible()
  expect(callsTo(latchkey.calls, 'toast')[0]).toEqual(['toast', 'error', 'Error fetching smart sessions'])
  fails = false
  await button('Try again').click()
  await expect.element(page.getByText('This app cannot do anything without asking you.')).toBeVisible()
})

test('SmartSessionCreated confirms the session and has buttons for viewing all sessions and for closing the modal', async () => {
  const latchkey = await renderView(
    SmartSessionCreated,
    { context: session.context },
    { ...on, request: async () => [session] },
  )
  await expect.element(page.getByText(/^Until .* this app signs within these limits/)).toBeVisible()
  expect(await axeFindings()).toEqual([])
  await button('View all sessions').click()
  expect(callsTo(latchkey.calls, 'push')).toEqual([['push', 'SmartSessionList', undefined]])
  await button('Done').click()
  expect(callsTo(latchkey.calls, 'close')).toHaveLength(1)
})
