import axe from 'axe-core'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalContext, ApprovalView, Quote } from '../approvals/approvalViewModel.ts'
import type { SolanaStep } from '../decoders/solanaTransaction.ts'
import { untrusted } from '../decoders/untrustedText.ts'
import { createPageSettings } from '../pageSettings.ts'
import type { Grant, GrantLimits } from '../permissions/grant.ts'
import { mountScreens } from './mountScreens.tsx'

const setting: ApprovalContext = {
  origin: 'https://bakery.example',
  chain: 'eip155:1',
  account: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B',
}
const spender = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const prepared = {
  nonce: 0,
  gas: [21_000n],
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1n,
  legacy: false,
  fee: 42_000_000_000_000n,
  balance: 10n ** 19n,
  willFail: undefined,
  readings: [],
  simulation: {
    kind: 'done',
    changes: [{ kind: 'coin', amount: -5n }],
    rights: [],
    isComplete: true,
    tellsCoin: true,
    canLoseMore: false,
  },
  tellsAll: true,
  contracts: { [token.toLowerCase()]: { kind: 'erc20', symbol: untrusted('TUSD'), decimals: 6 } },
} as const satisfies Quote & Record<string, unknown>

/** Creates an approval for calls that a smart account, or an EOA with EIP-7702 code, makes in one user operation. */
function operation(
  quote: Partial<Quote>,
  { many = false, by = 'contract' }: { many?: boolean; by?: 'contract' | 'key' } = {},
): ApprovalView {
  const send = { kind: 'sendCoin', to: spender, value: 5n } as const
  const allow = { kind: 'allowToken', token, spender, amount: 7n, change: 'set', value: 0n } as const
  const call = { to: spender, value: 5n, data: '0x' } as const
  return {
    kind: 'calls',
    setting: { ...setting, isContract: by === 'contract' },
    calls: many ? [call, { ...call, value: 0n, data: '0x095ea7b3' }] : [call],
    isOne: true,
    prepare: async () => ({ ...prepared, readings: many ? [send, allow] : [send], ...quote }),
  }
}

const day = 86_400
const limits: GrantLimits = {
  chain: 'eip155:1',
  account: setting.account.toLowerCase(),
  expiry: 1_800_000_000,
  permissions: [
    { kind: 'coin', most: 10n ** 17n, start: 1_800_000_000 - 7 * day, period: day },
    { kind: 'token', token: token.toLowerCase(), most: 50_000_000n, start: 1_800_000_000 - 7 * day, period: 7 * day },
    {
      kind: 'contract',
      address: spender.toLowerCase(),
      functions: [
        {
          name: 'buy',
          selector: '0x12345678',
          inputs: [
            { name: 'item', type: 'uint256' },
            { name: '', type: 'address' },
          ],
          rules: [{ operator: 'LESS_THAN', value: '5' }, undefined],
          valueMost: 10n ** 16n,
        },
        { name: 'stop', selector: '0x07da68f5', inputs: [], rules: [], valueMost: 0n },
      ],
    },
  ],
  recipients: undefined,
  callsMost: 100,
}
const grant: Grant = {
  ...limits,
  context: '0x01',
  userId: 'ada',
  origin: setting.origin,
  tokens: { [token.toLowerCase()]: { symbol: 'TUSD', decimals: 6 } },
  createdAt: 1_799_000_000,
  signedInAt: 1,
  revokedAt: undefined,
  spent: {
    used: [
      { period: 0, amount: 10n ** 15n },
      { period: 0, amount: 0n },
      { period: 0, amount: 0n },
    ],
    calls: 1,
  },
}

const subjects: Readonly<Record<string, ApprovalView>> = {
  text: { kind: 'message', setting, reading: { kind: 'text', text: untrusted('Good morning'), hidden: true } },
  bytes: { kind: 'message', setting, reading: { kind: 'bytes', hex: untrusted('0xfe'), hash: true } },
  refused: {
    kind: 'message',
    setting,
    reading: {
      kind: 'refused',
      text: untrusted('evil.example wants …'),
      because: 'other-site',
      claimed: untrusted('evil.example'),
    },
  },
  permit: {
    kind: 'typedData',
    setting,
    reading: {
      kind: 'typedData',
      primaryType: untrusted('Permit'),
      domain: { name: untrusted('Dollar'), chainId: 1, contract: token },
      fields: [
        {
          name: untrusted('to'),
          type: 'P[]',
          value: [
            {
              name: untrusted('1'),
              type: 'P',
              value: [{ name: untrusted('a'), type: 'uint8', value: untrusted('1') }],
            },
          ],
        },
      ],
      meaning: {
        kind: 'permit',
        spender,
        permissions: [{ token, amount: 'unlimited', expires: 'never' }],
        signatureExpires: 'never',
      },
      contracts: prepared.contracts,
    },
  },
  calls: {
    kind: 'calls',
    setting,
    calls: [
      { to: spender, value: 5n, data: '0x' },
      { to: token, value: 0n, data: '0x095ea7b3' },
      { to: token, value: 1n, data: '0xdeadbeef' },
    ],
    prepare: async () => ({
      ...prepared,
      readings: [
        { kind: 'sendCoin', to: spender, value: 5n },
        { kind: 'allowToken', token, spender, amount: 7n, change: 'set', value: 0n },
        { kind: 'unknown', to: token, value: 1n, because: 'unknown', selector: '0xdeadbeef', data: '0xdeadbeef' },
      ],
    }),
  },
  'first use of a contract account': operation({ begins: 'contract' }),
  'several calls as one, the page pays': operation({ payer: 'page' }, { many: true }),
  'several calls as one by an EOA that gets code, the operator pays': operation(
    { payer: 'operator', begins: 'code' },
    { many: true, by: 'key' },
  ),
  'not enough for the amount, although the fee is paid': operation({ payer: 'page', balance: 0n }),
  solana: {
    kind: 'solana',
    setting: { ...setting, chain: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
    send: false,
    readings: [
      {
        payer: setting.account,
        fee: 5000n,
        hidden: 2,
        steps: [
          { kind: 'send', from: 'a', to: 'b', amount: 1n },
          { kind: 'memo', text: untrusted('Order 42') },
          { kind: 'unknown', program: 'c', data: '0x01' },
        ],
      },
    ],
  },
  grant: { kind: 'grant', setting, limits, tokens: { [token.toLowerCase()]: { symbol: 'TUSD', decimals: 6 } } },
  'grant without names': { kind: 'grant', setting, limits: { ...limits, recipients: [spender, token] }, tokens: {} },
  revoke: { kind: 'revoke', setting, grant },
  grants: {
    kind: 'grants',
    setting,
    grants: [grant, { ...grant, context: '0x02' }],
    now: 1_800_000_000,
    revoke: async () => true,
  },
  'no grants': { kind: 'grants', setting, grants: [], now: 1_800_000_000, revoke: async () => true },
  recover: {
    kind: 'recover',
    recovering: {
      origin: setting.origin,
      email: 'ada@bakery.example',
      address: setting.account,
      kinds: ['kit', 'passkey'],
      because: 'new-device',
      openWithKit: async () => undefined,
      openWithPasskey: async () => undefined,
      openWithDevice: async () => undefined,
    },
  },
  'put back': { kind: 'putBack', origin: setting.origin },
  enter: {
    kind: 'enter',
    entering: {
      origin: setting.origin,
      elsewhere: false,
      signIn: async () => undefined,
      begin: async () => undefined,
    },
  },
  start: {
    kind: 'start',
    starting: {
      origin: setting.origin,
      makeKit: async () => ({ code: '', qr: '', start: async () => ({ vault: {}, file: '' }) }),
      startWithPasskey: async () => undefined,
    },
  },
  protect: {
    kind: 'message',
    setting: {
      ...setting,
      protecting: { makeKit: async () => ({ code: '', qr: '', keep: async () => '' }), addPasskey: undefined },
    },
    reading: { kind: 'text', text: untrusted('Hi'), hidden: false },
  },
}

let takeAway = (): void => {}
afterEach(() => takeAway())

async function shown(subject: ApprovalView, mode: 'light' | 'dark') {
  await page.viewport(360, 600)
  const approvals = createApprovalQueue<ApprovalView>()
  const settings = createPageSettings(new URL('https://keys.bakery.example/sdk'))
  settings.syncTheme({ themeMode: mode })
  const perform = vi.fn(async () => 'done')
  const answer = approvals.ask({ subject, perform }).catch((error: Error) => error.message)
  takeAway = mountScreens(window, { approvals, settings })
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  return { answer, perform }
}

test.each(
  Object.entries(subjects).flatMap(([name, subject]) =>
    (['light', 'dark'] as const).map((mode) => [name, mode, subject] as const),
  ),
)('%s in %s mode has no accessibility violations', async (_name, mode, subject) => {
  await shown(subject, mode)
  // Colors are animated and have different values during the transition.
  await vi.waitFor(async () => {
    await Promise.all(document.getAnimations().map(({ finished }) => finished))
    expect(document.getAnimations()).toEqual([])
  })
  const { violations } = await axe.run(document, {
    rules: { 'document-title': { enabled: false }, 'html-has-lang': { enabled: false } },
  })
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
})

/** A number with the maximum number of digits. */
const max = 2n ** 255n - 1n
const long: Readonly<Record<string, ApprovalView>> = {
  ...subjects,
  'an allowance with the maximum number of digits': operation({
    readings: [{ kind: 'allowToken', token, spender, amount: 2n ** 200n, change: 'set', value: 0n }],
  }),
  'an allowance of a token without decimals': operation({
    readings: [{ kind: 'allowToken', token: spender, spender, amount: max, change: 'increase', value: 0n }],
  }),
  'an NFT with the maximum number of digits': operation({
    readings: [
      { kind: 'sendItems', token, value: 0n, from: setting.account, to: spender, items: [{ id: max, count: max }] },
    ],
  }),
  'native currency with the maximum number of digits': operation({
    readings: [{ kind: 'sendCoin', to: spender, value: max }],
    fee: max,
    balance: 2n * max,
    simulation: { ...prepared.simulation, changes: [{ kind: 'coin', amount: -max }] },
  }),
  'an extremely long symbol': operation({
    readings: [{ kind: 'allowToken', token, spender, amount: max, change: 'set', value: 0n }],
    contracts: { [token.toLowerCase()]: { kind: 'erc20', symbol: untrusted('W'.repeat(500)), decimals: 77 } },
  }),
}

test.each(Object.entries(long))('%s fits the width of the smallest supported window', async (_name, subject) => {
  await shown(subject, 'light')
  await page.viewport(280, 600)
  const root = document.documentElement
  await vi.waitFor(() => expect(document.querySelector('[data-deciding] .skeleton')).toBeNull())
  // Content beyond the edge would never be visible, so nothing could be approved.
  expect(root.scrollWidth).toBeLessThanOrEqual(root.clientWidth)
  for (const piece of document.querySelectorAll('[data-deciding] *')) {
    const { left, right } = piece.getBoundingClientRect()
    expect([left >= -1, right <= window.innerWidth + 1], piece.textContent ?? '').toEqual([true, true])
  }
})

const contract = 'Account type: A contract owned by your key'
const codeTitle = 'Your account becomes a smart account'
const firstUse = 'This is the first use of your smart account, which is deployed at the same time.'
const allOrNothing = 'Either all of these succeed or none do.'
const inTurn = 'They are sent one after another. Some may succeed and others fail.'
const special = [contract, codeTitle, firstUse, allOrNothing, inTurn, 'Fee paid by']

test.each<[name: string, texts: readonly string[]]>([
  ['calls', [inTurn]],
  ['first use of a contract account', [contract, firstUse]],
  ['several calls as one, the page pays', [contract, allOrNothing, 'Fee paid by: bakery.example']],
  [
    'several calls as one by an EOA that gets code, the operator pays',
    [codeTitle, 'Your key still owns it', allOrNothing, 'Fee paid by: This wallet'],
  ],
  [
    'not enough for the amount, although the fee is paid',
    [contract, 'Not enough ETH for the amount.', 'Fee paid by: bakery.example'],
  ],
])('%s: shows the account type, the payer, what is set up and the cost of a failure', async (name, response) => {
  await shown(subjects[name] as ApprovalView, 'light')
  await expect.element(page.getByText('0.000042')).toBeVisible()
  const text = textOf(document.body)
  for (const words of response) expect(text).toContain(words)
  // The screen shows none of the messages for the other cases.
  for (const words of special) if (!response.some((item) => item.startsWith(words))) expect(text).not.toContain(words)
})

/** Returns the visible text, with each fact as `name: value`. */
function textOf(part: Element): string {
  const facts = [...part.querySelectorAll('dt')].map(
    (name) => `${name.textContent}: ${name.nextElementSibling?.textContent}`,
  )
  return [part.textContent, ...facts].join('\n')
}

test('a Solana transaction for a test network shows a warning that it can be valid on mainnet', async () => {
  const { solana } = subjects
  if (solana?.kind !== 'solana') throw new Error('no such subject')
  await shown(solana, 'light')
  await expect.element(page.getByText('may also be valid on the main network')).not.toBeInTheDocument()
  takeAway()
  const test: ApprovalContext['chain'] = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
  await shown({ ...solana, send: true, setting: { ...solana.setting, chain: test } }, 'light')
  await expect.element(page.getByText('may also be valid on the main network')).toBeVisible()
})

test.each<[string, { payer?: string; steps: readonly SolanaStep[] }, { fee: string; asksTwice: boolean }]>([
  [
    'that the account pays for',
    { steps: [{ kind: 'memo', text: untrusted('Order 42') }] },
    { fee: '0.000005', asksTwice: false },
  ],
  [
    'that someone else pays for and that hands over an account',
    {
      payer: spender,
      steps: [{ kind: 'handOver', account: 'a', to: 'b' }],
    },
    { fee: 'Someone else pays the fee', asksTwice: true },
  ],
  [
    'with an unlimited allowance',
    { steps: [{ kind: 'allow', account: 'a', spender: 'b', amount: 'unlimited', decimals: undefined }] },
    { fee: '0.000005', asksTwice: true },
  ],
  [
    'with a limited allowance',
    { steps: [{ kind: 'allow', account: 'a', spender: 'b', amount: 5n, decimals: undefined }] },
    { fee: '0.000005', asksTwice: false },
  ],
])('a Solana transaction %s shows its fee and asks twice only if it is dangerous', async (_, reading, expected) => {
  const { solana } = subjects
  if (solana?.kind !== 'solana') throw new Error('no such subject')
  const readings = [{ payer: setting.account, fee: 5000n, hidden: 0, ...reading }]
  const isHandOver = reading.steps.some(({ kind }) => kind === 'handOver')
  const { perform } = await shown({ ...solana, readings }, 'light')
  await page.viewport(900, 690)
  expect(textOf(document.body)).toContain(`Maximum network fee: ${expected.fee}`)
  const dangers = [...document.querySelectorAll('[data-tone=danger]')].map(({ textContent }) => textContent)
  if (isHandOver) expect(dangers).toEqual([expect.stringMatching(/^Account.*a/), expect.stringMatching(/^To.*b/)])
  const button = page.getByRole('button', { name: 'Sign', exact: true })
  await expect.element(button, { timeout: 5_000 }).not.toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('heading', { level: 1 }).hover()
  await button.click()
  const question = page.getByText('Please confirm that you have read this')
  if (expected.asksTwice) await expect.element(question).toBeVisible()
  else await vi.waitFor(() => expect(perform).toHaveBeenCalled())
  expect(perform).toHaveBeenCalledTimes(expected.asksTwice ? 0 : 1)
})

test('a screen that unlocks a wallet names the requesting page, but not on the wallet’s own page', async () => {
  const { recover, start } = subjects
  if (recover?.kind !== 'recover' || start?.kind !== 'start') throw new Error('no such subject')
  const { recovering } = recover
  const { starting } = start
  const requests = page.getByText('wants to use your wallet')
  await shown(recover, 'light')
  expect(document.body.textContent).toContain('bakery.example')
  await expect.element(requests).toBeVisible()
  takeAway()
  await shown({ ...recover, recovering: { ...recovering, origin: undefined } }, 'light')
  await expect.element(requests).not.toBeInTheDocument()
  takeAway()
  await shown(start, 'light')
  await expect.element(requests).toBeVisible()
  await expect.element(page.getByText('This browser does not store data for the wallet here')).toBeVisible()
  takeAway()
  await shown({ ...start, starting: { ...starting, origin: undefined } }, 'light')
  await expect.element(requests).not.toBeInTheDocument()
})

test('a sign-in message lists what it gives access to, if anything', async () => {
  const signIn = {
    scheme: undefined,
    domain: 'bakery.example',
    family: 'Ethereum',
    address: setting.account,
    statement: undefined,
    uri: setting.origin,
    chainId: '1',
    nonce: '0123456789',
    expiresAt: '2026-11-24T12:00:00Z',
    resources: [untrusted('https://bakery.example/terms'), untrusted('ipfs://cake')],
  }
  const subject = (change: Partial<typeof signIn>): ApprovalView => {
    const reading = { kind: 'signIn', text: untrusted('…'), signIn: { ...signIn, ...change } } as const
    return { kind: 'message', setting, reading }
  }
  await shown(subject({}), 'light')
  expect(textOf(document.body)).toContain('Gives access to: https://bakery.example/termsipfs://cake')
  expect(textOf(document.body)).toContain('Until: Nov 24, 2026')
  takeAway()
  await shown(subject({ resources: [] }), 'light')
  expect(textOf(document.body)).not.toContain('Gives access to')
  expect(textOf(document.body)).toContain('Until: Nov 24, 2026')
})

test('a call that the wallet cannot decode shows the contract, its data and a warning', async () => {
  const call = { to: token, value: 1n, data: '0xdeadbeef' } as const
  const reading = { kind: 'unknown', ...call, because: 'unknown', selector: '0xdeadbeef' } as const
  const subject = operation({ readings: [reading] })
  if (subject.kind !== 'calls') throw new Error('no such subject')
  await shown({ ...subject, calls: [call] }, 'light')
  await expect.element(page.getByRole('heading', { name: 'Unknown effect' })).toBeVisible()
  await expect.element(page.getByText('This wallet cannot tell what this does.')).toBeVisible()
  const warning = page.getByText('does not recognize the contract or its function')
  await expect.element(warning).toBeVisible()
  expect(warning.element().closest('[data-kind]')?.getAttribute('data-kind')).toBe('warning')
  const text = textOf(document.body)
  expect(text).toMatch(new RegExp(`Contract: [^\\n]*${token}`))
  expect(text).toContain('0xdeadbeef')
})

test.each(['text', 'permit', 'calls', 'solana', 'grant', 'revoke'])(
  '%s: the network and the account must be visible before an approval',
  async (name) => {
    const subject = subjects[name]
    if (!subject || !('setting' in subject)) throw new Error('no such subject')
    const isSolana = subject.kind === 'solana'
    await shown(subject, 'light')
    const deciding = document.querySelector('[data-deciding]')
    expect(deciding && textOf(deciding)).toMatch(
      isSolana ? 'Network: Solana Mainnet\nAccount: 0xAb58' : 'Network: Ethereum\nAccount: 0xAb58',
    )
  },
)

test('only test networks are labeled as such', async () => {
  const { calls } = subjects
  if (calls?.kind !== 'calls') throw new Error('no such subject')
  await shown(calls, 'light')
  expect(textOf(document.body)).toContain('Network: Ethereum\n')
  takeAway()
  await shown({ ...calls, setting: { ...setting, chain: 'eip155:11155111' } }, 'light')
  expect(textOf(document.body)).toContain('Network: Sepolia (test network)\n')
})

test('a quote older than a minute is fetched again, and changes are shown before the approval', async () => {
  const { calls } = subjects
  if (calls?.kind !== 'calls') throw new Error('no such subject')
  const before = await calls.prepare()
  const prepare = vi.fn(async (): Promise<Quote> => before)
  await shown({ ...calls, prepare }, 'light')
  await expect.element(page.getByText('0.000042')).toBeVisible()
  window.dispatchEvent(new Event('focus'))
  expect(prepare).toHaveBeenCalledTimes(1)
  const now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 61_000)
  try {
    prepare.mockImplementation(async () => ({
      ...before,
      simulation: { ...prepared.simulation, changes: [{ kind: 'coin', amount: -7_000_000_000_000_000_000n }] },
    }))
    // The screen adds its listener shortly after it renders.
    await vi.waitFor(() => {
      window.dispatchEvent(new Event('focus'))
      expect(prepare).toHaveBeenCalledTimes(2)
    })
    await vi.waitFor(() => expect(textOf(document.body)).toMatch(/Leaves your account: 7\s?ETH/))
    window.dispatchEvent(new Event('focus'))
    expect(prepare).toHaveBeenCalledTimes(2)
  } finally {
    clock.mockRestore()
  }
})

test('approving a quote older than a minute only counts if the quote has not changed', async () => {
  const asking = operation({})
  if (asking.kind !== 'calls') throw new Error('no such subject')
  const before = await asking.prepare()
  const after = { ...before, simulation: { ...prepared.simulation, changes: [{ kind: 'coin', amount: -7n }] } } as const
  const prepare = vi.fn(async (): Promise<Quote> => before)
  const { perform } = await shown({ ...asking, prepare }, 'light')
  await page.viewport(900, 690)
  const button = page.getByRole('button', { name: 'Approve', exact: true })
  const press = async (): Promise<void> => {
    await expect.element(button).not.toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('heading', { level: 1 }).hover()
    await button.click()
  }
  const now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 61_000)
  try {
    prepare.mockImplementation(async () => after)
    await press()
    await vi.waitFor(() => expect(prepare).toHaveBeenCalledTimes(2))
    expect(perform).not.toHaveBeenCalled()
    // The content is the same as what is now shown.
    clock.mockReturnValue(now + 200_000)
    await press()
    await vi.waitFor(() => expect(perform).toHaveBeenCalledWith(after))
    expect(prepare).toHaveBeenCalledTimes(3)
  } finally {
    clock.mockRestore()
  }
})

test('a synthetic press does not approve the request', async () => {
  const { perform } = await shown(subjects.text as ApprovalView, 'light')
  const button = page.getByRole('button', { name: 'Sign', exact: true })
  await expect.element(button).not.toHaveAttribute('aria-disabled', 'true')
  for (const type of ['pointerdown', 'pointerup', 'click'])
    button.element().dispatchEvent(new PointerEvent(type, { bubbles: true }))
  expect(perform).not.toHaveBeenCalled()
})

test('the cancel button rejects the request and clears the screen', async () => {
  const { answer, perform } = await shown(subjects.text as ApprovalView, 'light')
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await answer).toBe('User rejected the request.')
  expect(perform).not.toHaveBeenCalled()
  await expect.element(page.getByRole('heading')).not.toBeInTheDocument()
})

test('a short message can be signed immediately, and a long message once the user has scrolled to its end, even with the keyboard', async () => {
  const sign = page.getByRole('button', { name: 'Sign', exact: true })
  const hint = page.getByText('Scroll to the end of the message to continue.')
  await shown(subjects.text as ApprovalView, 'light')
  await expect.element(sign).not.toHaveAttribute('aria-disabled', 'true')
  takeAway()
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`)
  const text = untrusted(`${lines.join('\n')}\nand all of it is yours`)
  await shown({ kind: 'message', setting, reading: { kind: 'text', text, hidden: false } }, 'light')
  await expect.element(hint).toBeVisible()
  await expect.element(sign).toHaveAttribute('aria-disabled', 'true')
  const box = page.getByRole('region', { name: 'Message' }).element()
  box.scrollTop = box.scrollHeight / 2
  await new Promise((resolve) => box.addEventListener('scrollend', resolve, { once: true }))
  await expect.element(sign).toHaveAttribute('aria-disabled', 'true')
  ;(box as HTMLElement).focus()
  await userEvent.keyboard('{End}')
  await expect.element(hint).not.toBeInTheDocument()
  await expect.element(sign).not.toHaveAttribute('aria-disabled', 'true')
  // Once the end has been visible, scrolling back does not matter.
  box.scrollTop = 0
  await new Promise((resolve) => box.addEventListener('scrollend', resolve, { once: true }))
  await expect.element(sign).not.toHaveAttribute('aria-disabled', 'true')
})

test('unknown typed data is shown in full and can be signed after three seconds', async () => {
  const { permit, text } = subjects
  if (permit?.kind !== 'typedData' || permit.reading.kind !== 'typedData') throw new Error('no such subject')
  const sign = page.getByRole('button', { name: 'Sign', exact: true })
  /** Resolves to the time until the data can be signed, in milliseconds. */
  const armedAfter = async (subject: ApprovalView): Promise<number> => {
    const from = performance.now()
    await shown(subject, 'light')
    await expect.element(sign, { timeout: 10_000 }).not.toHaveAttribute('aria-disabled', 'true')
    return performance.now() - from
  }
  expect(await armedAfter(text as ApprovalView)).toBeGreaterThanOrEqual(700)
  takeAway()
  // In a frame, all content must be visible at the same time, so the data is short.
  const domain = { name: undefined, chainId: 1, contract: undefined }
  const reading = { ...permit.reading, fields: [], domain, meaning: { kind: 'unknown' } } as const
  const unknown: ApprovalView = { ...permit, reading }
  expect(await armedAfter(unknown)).toBeGreaterThanOrEqual(3_000)
  const fold = document.querySelector('details') as HTMLDetailsElement
  expect(fold.open).toBe(true)
  // The details must stay open, because they must be visible as a whole.
  expect(fold.dataset.whole).toBe('true')
})
