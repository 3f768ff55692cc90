import type { AccountNamesState } from '@latchkey/core'
import { fakeAccountNames, fakeDirectory, fakeFailure } from '@latchkey/core/testing'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings } from '../../testing/axe.ts'
import { AccountSettings } from '../account/AccountSettings.tsx'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { withConnection } from '../testing/samples.ts'
import { ChooseAccountName } from './ChooseAccountName.tsx'
import { RegisterAccountName } from './RegisterAccountName.tsx'
import { RegisterAccountNameSuccess } from './RegisterAccountNameSuccess.tsx'

const zone = 'shop.example'
const ready = (...labels: readonly [label: string, registered: boolean][]): AccountNamesState['suggestions'] => ({
  status: 'ready',
  value: labels.map(([label, registered]) => ({ name: `${label}.${zone}`, registered })),
})
const field = () => page.getByRole('textbox', { name: 'Name' })

function setup(
  state: Partial<AccountNamesState> = {},
  actions: Parameters<typeof fakeAccountNames>[1] = {},
  directoryZone: string | undefined = zone,
) {
  const names = fakeAccountNames(state, actions)
  const directory = { ...fakeDirectory({ wallets: [] }), namesZone: async () => directoryZone }
  return { names, directory, state: withConnection }
}

async function form(state: Partial<AccountNamesState> = {}, actions: Parameters<typeof fakeAccountNames>[1] = {}) {
  const { names, ...rest } = setup(state, actions)
  const latchkey = await renderView(RegisterAccountName, undefined, { ...rest, names })
  return { names, latchkey }
}

test('the introduction explains that a name is public, and opens the form', async () => {
  const options = setup()
  const latchkey = await renderView(ChooseAccountName, undefined, options)
  await expect.element(page.getByText('Everyone can see the name', { exact: false })).toBeVisible()
  await expect.element(page.getByText('alice.shop.example', { exact: false })).toBeVisible()
  expect(await axeFindings()).toEqual([])
  await button('Choose a name').click()
  expect(latchkey.state.get().modal.stack.at(-1)?.view).toBe('RegisterAccountName')
  expect(options.names.calls).toContainEqual(['opened'])
})

test('if the server has no names or does not respond, the user can retry', async () => {
  let found: string | undefined
  await renderView(ChooseAccountName, undefined, setup({}, { zone: async () => found }))
  await expect.element(page.getByText('This app has no account names at the moment.')).toBeVisible()
  await expect.element(button('Choose a name')).toBeDisabled()
  found = zone
  await button('Try again').click()
  await expect.element(button('Choose a name')).toBeEnabled()
})

test('a name that is too short or has unsupported characters cannot be registered [R5.15]', async () => {
  const { names } = await form()
  await expect.element(page.getByText('At least 4 letters, digits or hyphens.')).toBeVisible()
  for (const text of ['ali', 'ali_ce', 'ali ce', 'ali.ce', '-alice']) {
    names.state.set({ ...names.state.get(), text })
    await expect.element(field()).toHaveValue(text)
    await expect.element(button('Register name')).toBeDisabled()
  }
  await expect.element(page.getByText('A hyphen must be between letters or digits.')).toBeVisible()
  for (const text of ['ab-1', '1234', 'alice']) {
    names.state.set({ ...names.state.get(), text })
    await expect.element(button('Register name')).toBeEnabled()
  }
})

test('a name is announced as available or taken, and a suggestion replaces the text', async () => {
  const { names } = await form({ text: 'alice', suggestions: ready(['alice', false]) })
  await expect.element(page.getByRole('status').getByText('alice.shop.example is available.')).toBeInTheDocument()
  await expect.element(button('Register name')).toBeEnabled()
  names.state.set({ ...names.state.get(), suggestions: ready(['alice', true], ['alice1', false], ['alice2', true]) })
  await expect.element(page.getByRole('alert')).toHaveTextContent('alice.shop.example is not available.')
  await expect.element(button('Register name')).toBeDisabled()
  expect(
    page
      .getByRole('listitem')
      .elements()
      .map((item) => item.textContent),
  ).toEqual(['alice1.shop.exampleAvailable'])
  expect(await axeFindings()).toEqual([])
  await button(/alice1/).click()
  expect(names.calls).toContainEqual(['setText', 'alice1'])
})

test('typed text is passed on, and if the server does not respond, the text is kept and the request can be repeated', async () => {
  const { names } = await form()
  await field().fill('alice')
  expect(names.calls).toContainEqual(['setText', 'alice'])
  const error = fakeFailure('http/unreachable', { url: 'https://connect.shop.example' })
  names.state.set({ ...names.state.get(), suggestions: { status: 'failed', error } })
  await expect.element(page.getByText('Could not check whether this name is available.')).toBeVisible()
  await expect.element(field()).toHaveValue('alice')
  await button('Try again').click()
  expect(names.calls).toContainEqual(['retry'])
  // An unknown availability does not prevent registering: the server decides.
  await expect.element(button('Register name')).toBeEnabled()
})

test('the form is busy until the user confirms in the wallet, and then the confirmation is shown', async () => {
  let finish: (name: string) => void = () => {}
  const { names, latchkey } = await form(
    { text: 'alice', suggestions: ready(['alice', false]) },
    { register: () => new Promise((resolve) => (finish = resolve)) },
  )
  latchkey.modal.reset('RegisterAccountName')
  await button('Register name').click()
  names.state.set({ ...names.state.get(), registering: true })
  await expect.element(button('Confirm in your wallet…')).toHaveAttribute('aria-busy', 'true')
  await expect.element(field()).toHaveAttribute('readonly')
  finish('alice.shop.example')
  await expect
    .poll(() => latchkey.state.get().modal.stack.at(-1))
    .toEqual({ view: 'RegisterAccountNameSuccess', data: { name: 'alice.shop.example' } })
})

test('if the user has left the view, a toast reports that the name was registered', async () => {
  let finish: (name: string) => void = () => {}
  const { latchkey } = await form(
    { text: 'alice', suggestions: ready(['alice', false]) },
    { register: () => new Promise((resolve) => (finish = resolve)) },
  )
  await button('Register name').click()
  latchkey.modal.reset('Account')
  finish('alice.shop.example')
  await expect
    .poll(() => callsTo(latchkey.calls, 'toast'))
    .toEqual([['toast', 'success', 'alice.shop.example is registered']])
  expect(latchkey.state.get().modal.stack.at(-1)?.view).toBe('Account')
})

test('every failure is explained, and the name is kept', async () => {
  const { names } = await form({ text: 'alice', suggestions: ready(['alice', false]) })
  const http = (status: number, field: string) =>
    fakeFailure('http/failed', { status, field, url: 'https://connect.shop.example' })
  const failures = [
    [fakeFailure('user/rejected', { request: 'personal_sign' }), 'You declined to sign. Nothing was registered.'],
    [fakeFailure('wallet/unsupported', { method: 'personal_sign' }), 'cannot register a name on this network'],
    [fakeFailure('network/unsupported', { chain: 'eip155:10' }), 'cannot register a name on this network'],
    [http(400, 'timestamp'), 'The confirmation came too late'],
    [http(400, 'name'), 'alice.shop.example is not available.'],
    [http(400, 'address'), 'This account cannot register more names.'],
    [http(400, 'coin_type'), 'cannot register a name on this network'],
    [http(401, 'signature'), 'The server did not accept this name.'],
    [fakeFailure('http/unreachable', { url: 'https://connect.shop.example' }), 'The server did not respond.'],
  ] as const
  for (const [error, sentence] of failures) {
    names.state.set({ ...names.state.get(), error })
    await expect.element(page.getByRole('alert')).toHaveTextContent(sentence)
    await expect.element(field()).toHaveValue('alice')
    await expect.element(button('Register name')).toBeEnabled()
  }
})

test('the confirmation shows the name, and leads to the account', async () => {
  const latchkey = await renderView(RegisterAccountNameSuccess, { name: 'alice.shop.example' }, setup())
  await expect.element(page.getByText('alice.shop.example is now the name of your account.')).toBeVisible()
  expect(await axeFindings()).toEqual([])
  await button('Done').click()
  expect(latchkey.state.get().modal.stack.map(({ view }) => view)).toEqual(['Account'])
})

test('the settings link to account names if the wallet is embedded and the server has a zone', async () => {
  const embedded: typeof withConnection = (state) => {
    const now = withConnection(state)
    const connectors = now.wallets.connectors.map((item) => ({ ...item, type: 'AUTH' as const }))
    return { ...now, wallets: { ...now.wallets, connectors } }
  }
  const latchkey = await renderView(AccountSettings, undefined, { ...setup(), state: embedded })
  await button(/Account name/).click()
  expect(latchkey.state.get().modal.stack.at(-1)?.view).toBe('ChooseAccountName')

  await renderView(AccountSettings, undefined, {
    ...setup(),
    state: (state) => {
      const now = embedded(state)
      const identity = { status: 'ready', value: { name: 'alice.shop.example' } } as const
      return { ...now, account: { ...now.account, identity } }
    },
  })
  await expect.element(page.getByText('alice.shop.example')).toBeVisible()
  await expect.element(button(/Account name/)).not.toBeInTheDocument()

  await renderView(AccountSettings, undefined, {
    ...setup({}, {}, ''),
    state: embedded,
    directory: fakeDirectory({ wallets: [] }),
  })
  await expect.element(button('Disconnect')).toBeVisible()
  await expect.element(page.getByText('Account name')).not.toBeInTheDocument()
})
