import { frameTexts } from '@latchkey/protocol/frame/messages'
import { systemEnvironment } from '@latchkey/vault'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { createApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import { PublicError } from '../publicError.ts'
import { Home } from './Home.tsx'
import type { KeyRow } from './listUnlockKeys.ts'
import type { NavigationSource } from './navigationSource.ts'
import type { WalletPageContext } from './pageContext.ts'
import { Reauthenticate } from './Reauthenticate.tsx'
import { SignOutEverywhere } from './SignOutEverywhere.tsx'
import { UnlockKeyView } from './UnlockKeyView.tsx'
import { WalletPage } from './WalletPage.tsx'
import type { WalletPageController } from './walletPageController.ts'

// e2e/deviceApproval.spec.ts tests that protected actions require two clicks in different places.

let takeAway = (): void => {}
afterEach(() => takeAway())

function draw(node: ReactNode): void {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  flushSync(() => root.render(node))
  takeAway = () => {
    root.unmount()
    place.remove()
  }
}

const row: KeyRow = {
  id: 'a-key',
  kind: 'device',
  name: 'Ada’s phone',
  createdAt: 0,
  state: 'whole',
  isThis: false,
} as never

function contextWith(controller: Partial<WalletPageController>): WalletPageContext {
  const record = { addresses: { eip155: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B' }, wrappers: [] }
  return {
    controller: {
      keys: async () => [row],
      environment: systemEnvironment(),
      requests: async () => [],
      ...controller,
    } as WalletPageController,
    me: { user: { id: 'ada', email: 'ada@bakery.example' } } as never,
    opened: { vault: { record } } as never,
  }
}

function drawKey({ arrival, proven }: { arrival: NavigationSource; proven: boolean }) {
  const remove = vi.fn(async () => undefined)
  const onProve = vi.fn()
  const onBack = vi.fn()
  draw(
    <UnlockKeyView
      {...contextWith({ remove })}
      row={row}
      last={false}
      arrival={arrival}
      proven={proven}
      onProve={onProve}
      onBack={onBack}
      onOut={() => undefined}
    />,
  )
  return { remove, onProve, onBack }
}

test('a key is only removed after reauthentication, so repeated clicks in one place remove nothing', async () => {
  const { remove, onProve } = drawKey({ arrival: 'owner', proven: false })
  const button = page.getByRole('button', { name: 'Remove', exact: true })
  await button.click()
  await expect.poll(() => onProve.mock.calls.length).toBe(1)
  await expect.element(page.getByRole('button', { name: 'Remove permanently' })).not.toBeInTheDocument()
  expect(remove).not.toHaveBeenCalled()
})

test('cancelling the removal of a key returns to the list and removes nothing', async () => {
  const { remove, onBack } = drawKey({ arrival: 'owner', proven: true })
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(onBack).toHaveBeenCalledTimes(1)
  expect(remove).not.toHaveBeenCalled()
})

test.each([false, true])(
  'a page that another page opened cannot remove a key (reauthenticated: %s)',
  async (proven) => {
    drawKey({ arrival: 'page', proven })
    await expect.element(page.getByText('Another page opened this window')).toBeVisible()
    await expect.element(page.getByRole('button', { name: /Remove/ })).not.toBeInTheDocument()
  },
)

test('the list of keys shows when a key was last used, or when it was added if it was never used', async () => {
  const createdAt = Date.UTC(2023, 4, 5, 12)
  const keys = async () => [
    { ...row, createdAt },
    { ...row, id: 'used', name: 'Ada’s laptop', createdAt, lastUsedAt: Date.UTC(2024, 7, 8, 12) },
  ]
  draw(<Home {...contextWith({ keys })} note={undefined} go={() => undefined} onOut={() => undefined} />)
  await expect.element(page.getByRole('button', { name: /Ada’s phone/ })).toHaveTextContent(/Added May 5, 2023/)
  await expect.element(page.getByRole('button', { name: /Ada’s laptop/ })).toHaveTextContent(/Last used Aug 8, 2024/)
})

test('the passkey button keeps focus while the browser prompts for the passkey', async () => {
  const context = contextWith({})
  const record = { ...context.opened.vault.record, wrappers: [{ kind: 'passkey' }] }
  draw(
    <Reauthenticate
      {...context}
      opened={{ vault: { record } } as never}
      text="proveText"
      prove={() => new Promise(() => {})}
      onBack={() => undefined}
    />,
  )
  const button = page.getByRole('button', { name: /Use a passkey/ })
  await button.click()
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
  await expect.element(button).toHaveFocus()
  await expect.element(button).not.toHaveAttribute('disabled')
})

test('the form for the recovery code is busy while the code is checked, and then shows what is wrong with it', async () => {
  const context = contextWith({})
  const record = { ...context.opened.vault.record, wrappers: [{ kind: 'kit' }] }
  let fail = (_: unknown): void => {}
  const prove = vi.fn(() => new Promise<void>((_, reject) => (fail = reject)))
  draw(
    <Reauthenticate
      {...context}
      me={{ user: { email: null } } as never}
      opened={{ vault: { record } } as never}
      text="proveText"
      prove={prove}
      onBack={() => undefined}
    />,
  )
  const button = page.getByRole('button', { name: 'Continue' })
  await expect.element(button).toBeDisabled()
  await page.getByRole('textbox').fill('AAAA')
  await expect.element(button).not.toHaveAttribute('aria-busy', 'true')
  await button.click()
  await expect.element(button).toHaveAttribute('aria-busy', 'true')
  expect(prove.mock.calls).toEqual([[{ kind: 'kit', typed: 'AAAA' }]])
  fail({ codeError: { error: 'length', letters: 4 } })
  await expect.element(page.getByText('A code has 40 characters; this one has 4.')).toBeVisible()
  await expect.element(button).not.toHaveAttribute('aria-busy', 'true')
})

test('if the wallet cannot be opened, the user can try again or sign out', async () => {
  const signOut = vi.fn(async () => undefined)
  const me = vi.fn(async () => ({ user: { id: 'ada', email: null } }) as never)
  const approvals = createApprovalQueue<ApprovalView>()
  const open = () => Promise.reject(new PublicError(frameTexts.serverAway))
  const controller = { me, open, signOut, approvals, passkeys: async () => false } as unknown as WalletPageController
  draw(<WalletPage controller={controller} intent="" arrival="owner" window={window} />)
  await expect.element(page.getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => me.mock.calls.length).toBe(2)
  await page.getByRole('button', { name: 'Sign out here' }).click()
  await expect.element(page.getByRole('button', { name: 'Sign out here' })).not.toBeInTheDocument()
  expect(signOut).toHaveBeenCalledTimes(1)
})

test('a single click does not sign out all devices', async () => {
  const signOutEverywhere = vi.fn(async () => undefined)
  const go = vi.fn()
  draw(<Home {...contextWith({ signOutEverywhere })} note={undefined} go={go} onOut={() => undefined} />)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect.poll(() => go.mock.calls).toEqual([[{ name: 'leaveEverywhere' }]])
  expect(signOutEverywhere).not.toHaveBeenCalled()
})

test('a page that another page opened cannot sign out all devices', async () => {
  draw(
    <SignOutEverywhere
      controller={{ signOutEverywhere: async () => undefined }}
      arrival="page"
      onBack={() => undefined}
      onOut={() => undefined}
    />,
  )
  await expect.element(page.getByText('Another page opened this window')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Sign out everywhere' })).not.toBeInTheDocument()
})
