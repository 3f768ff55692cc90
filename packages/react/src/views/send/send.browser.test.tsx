import type { SendReview, SendState, Token } from '@latchkey/core'
import { type FakeSend, fakeFailure, fakePortfolio, fakeSend } from '@latchkey/core/testing'
import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings } from '../../testing/axe.ts'
import { button, callsTo, renderView } from '../testing/renderView.tsx'
import { address, withConnection } from '../testing/samples.ts'
import { WalletSend } from './WalletSend.tsx'
import { WalletSendPreview } from './WalletSendPreview.tsx'
import { WalletSendSelectToken } from './WalletSendSelectToken.tsx'

const account = `eip155:1:${address}` as const
const friend = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30'
const hash = `0x${'ab'.repeat(32)}`
const ether: Token = {
  id: 'native',
  chain: 'eip155:1',
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  amount: 1_500_000_000_000_000_000n,
  price: { amount: '3000', at: Date.now() },
  fiat: '4500',
}
const coin: Token = {
  id: 'eip155:1:0x1111111111111111111111111111111111111111',
  chain: 'eip155:1',
  address: '0x1111111111111111111111111111111111111111',
  name: 'Coin',
  symbol: 'COIN',
  decimals: 6,
  amount: 5_000_000n,
}
const fee: SendState['fee'] = { status: 'ready', value: { amount: 10n ** 15n, maxAmount: 2n * 10n ** 15n } }
const form: Partial<SendState> = {
  account,
  chain: 'eip155:1',
  tokens: { status: 'ready', value: [ether, coin] },
  token: ether,
  native: ether,
  fee,
  step: 'add-amount',
}
const filled: Partial<SendState> = {
  ...form,
  amountText: '0.5',
  amount: 5n * 10n ** 17n,
  recipient: { text: friend, status: 'ready', address: friend },
  warnings: { status: 'ready', value: [] },
  step: 'review',
}
const review: SendReview = { account, chain: 'eip155:1', token: ether, amount: 5n * 10n ** 17n, to: friend }
const reviewed: Partial<SendState> = { ...filled, review }

const amountField = () => page.getByRole('textbox', { name: /^Amount in/ })
const recipientField = () => page.getByRole('textbox', { name: 'Recipient' })
const patch = (send: FakeSend, change: Partial<SendState>) => send.state.set({ ...send.state.get(), ...change })

async function showForm(state: Partial<SendState> = form, actions: Parameters<typeof fakeSend>[1] = {}) {
  const send = fakeSend(state, actions)
  const latchkey = await renderView(WalletSend, undefined, { state: withConnection, send })
  await expect.element(amountField()).toBeVisible()
  return { send, latchkey }
}
async function showReview(state: Partial<SendState> = reviewed, actions: Parameters<typeof fakeSend>[1] = {}) {
  const send = fakeSend(state, actions)
  const latchkey = await renderView(WalletSendPreview, undefined, { state: withConnection, send })
  return { send, latchkey }
}

describe('WalletSend', () => {
  test('the button names the first requirement that is not met, and only a complete transfer can be reviewed', async () => {
    const { send, latchkey } = await showForm()
    for (const [step, label] of [
      ['select-token', 'Select token'],
      ['add-amount', 'Enter amount'],
      ['incorrect-amount', 'Incorrect value'],
      ['insufficient-funds', 'Insufficient balance'],
      ['add-address', 'Enter address'],
      ['checking-address', 'Checking address…'],
      ['invalid-address', 'Invalid address'],
      ['insufficient-fee', 'Insufficient COIN for network fees'],
      ['unsupported-chain', 'Unsupported network'],
    ] as const) {
      patch(send, { step })
      await expect.element(button(label)).toBeDisabled()
    }
    patch(send, filled)
    expect(await axeFindings()).toEqual([])
    await button('Review send').click()
    expect(send.calls).toContainEqual(['startReview'])
    expect(latchkey.state.get().modal.stack.at(-1)?.view).toBe('WalletSendPreview')
  })

  test('typed amounts are passed on as plain decimals, and other text is ignored', async () => {
    const { send } = await showForm()
    await amountField().fill('1,25')
    expect(send.calls).toContainEqual(['setAmount', '1.25'])
    await expect.element(amountField()).toHaveValue('1.25')
    await amountField().fill('1e5')
    await expect.element(amountField()).toHaveValue('1.25')
    await button(/Send the maximum/).click()
    expect(send.calls.at(-1)).toEqual(['setMax'])
    await button(/Enter the amount in US dollars/).click()
    expect(send.calls.at(-1)).toEqual(['setUnit', 'fiat'])
    await expect.element(page.getByRole('textbox', { name: 'Amount in US dollars' })).toBeVisible()
  })

  test('a pasted address is shown in full in groups, and a blocked clipboard is reported', async () => {
    const { send } = await showForm()
    const read = vi.spyOn(navigator.clipboard, 'readText').mockResolvedValueOnce(` ${friend} `)
    await button('Paste').click()
    await expect.poll(() => send.calls).toContainEqual(['setRecipient', friend])
    patch(send, filled)
    await expect.element(recipientField()).toHaveValue(friend)
    await expect.poll(() => document.querySelector('.send-address .address')?.textContent).toBe(friend)
    patch(send, { recipient: { text: '', status: 'empty' } })
    read.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
    await button('Paste').click()
    await expect.element(page.getByText('Could not read the clipboard.', { exact: false })).toBeVisible()
  })

  test.each([
    ['invalid', 'This is not an address or name on Ethereum.'],
    ['unknown-name', 'No address was found for bob.eth on Ethereum.'],
    ['failed', 'Could not look up bob.eth.'],
  ] as const)('a recipient that is %s is explained, and the text is kept', async (status, sentence) => {
    const { send } = await showForm({ ...filled, recipient: { text: 'bob.eth', status }, step: 'invalid-address' })
    await expect.element(page.getByRole('alert')).toHaveTextContent(sentence)
    await expect.element(recipientField()).toHaveValue('bob.eth')
    expect(await axeFindings()).toEqual([])
    if (status !== 'failed') return
    await button('Try again').click()
    expect(send.calls.at(-1)).toEqual(['retry'])
  })

  test('a wrong checksum is an error until the user accepts it', async () => {
    const recipient = { text: friend.replace('BcD', 'bCd'), status: 'wrong-checksum', address: friend } as const
    const { send } = await showForm({ ...filled, recipient, step: 'invalid-address' })
    await expect.element(page.getByRole('alert')).toHaveTextContent('This address may contain a mistake')
    await expect.element(button('Invalid address')).toBeDisabled()
    await button('Use it anyway').click()
    expect(send.calls.at(-1)).toEqual(['acceptChecksum'])
  })

  test('recent recipients can be picked and cleared', async () => {
    const { send } = await showForm({
      ...form,
      recent: [{ address: friend, chain: 'eip155:1', name: 'bob.shop.example', at: 0 }],
    })
    await button(/bob\.shop\.example/).click()
    expect(send.calls).toContainEqual(['setRecipient', friend])
    patch(send, { recipient: { text: '', status: 'empty' }, recent: [{ address: friend, chain: 'eip155:1', at: 0 }] })
    await button('Clear list').click()
    expect(send.calls.at(-1)).toEqual(['clearRecent'])
  })

  test('the fee is shown in the native currency and in dollars, and a failed estimate or an insufficient balance is reported', async () => {
    const { send } = await showForm(filled)
    await expect.element(page.getByText('About 0.001 ETH ($3.00)', { exact: false })).not.toBeInTheDocument()
    await expect.element(page.getByText(/About 0\.001.COIN \(\$3\.00\)/)).toBeVisible()
    patch(send, { fee: { status: 'failed', error: fakeFailure('http/unreachable', { url: 'https://node.example' }) } })
    await expect.element(page.getByRole('status').getByText('Could not estimate the network fee.')).toBeVisible()
    await button('Try again').click()
    expect(send.calls.at(-1)).toEqual(['retry'])
    patch(send, { fee, step: 'insufficient-fee', native: { ...ether, amount: 5n * 10n ** 14n } })
    await expect.element(page.getByText(/Sending needs about 0\.001.COIN for the network fee/)).toBeVisible()
    await expect.element(button('Receive COIN')).toBeEnabled()
  })

  test('if the transfer would fail, the reason is shown', async () => {
    const error = fakeFailure('send/would-fail', { reason: 'recipient-minimum', minimum: '890880000000000' })
    await showForm({ ...filled, fee: { status: 'failed', error } })
    await expect.element(page.getByRole('alert')).toHaveTextContent('This transfer would fail')
    await expect.element(page.getByRole('alert')).toHaveTextContent(/at least 0\.00089088.COIN/)
  })

  test('a notice about an interrupted transfer is shown until the user has checked it', async () => {
    const { send } = await showForm({ ...filled, transfer: { status: 'unknown', review, at: 0 } })
    await expect.element(page.getByText('Was this transfer sent?')).toBeVisible()
    await button('I have checked').click()
    expect(send.calls.at(-1)).toEqual(['dismiss'])
  })

  test('if loading the code fails, the user can retry', async () => {
    const send = fakeSend(form)
    let loads = 0
    const latchkey = await renderView(WalletSend, undefined, { state: withConnection })
    Object.assign(latchkey, { send: async () => (loads++ > 0 ? send : undefined) })
    await button('Try again').click()
    await button('Try again').click()
    await expect.element(amountField()).toBeVisible()
  })
})

describe('WalletSendSelectToken', () => {
  test('lists the tokens, finds them by name, symbol and address, and shows hidden ones on request', async () => {
    const spam: Token = { ...coin, id: 'eip155:1:0x2', address: '0x2', name: 'Claim prize', hidden: 'spam' }
    const many = Array.from({ length: 6 }, (_, at): Token => ({ ...coin, id: `t${at}`, name: `Number ${at}` }))
    const send = fakeSend({ ...form, tokens: { status: 'ready', value: [ether, coin, ...many, spam] } })
    const latchkey = await renderView(WalletSendSelectToken, undefined, { state: withConnection, send })
    await expect.element(button(/Ether/)).toHaveAttribute('aria-current')
    await expect.element(page.getByText('Claim prize')).not.toBeInTheDocument()
    await button('Show hidden tokens').click()
    await expect.element(page.getByText('Claim prize')).toBeVisible()
    await expect.element(page.getByText('Likely spam')).toBeVisible()
    expect(await axeFindings()).toEqual([])
    const search = page.getByRole('searchbox', { name: 'Name, symbol or address' })
    await search.fill('zzz')
    await expect.element(page.getByText('Nothing matches “zzz”.')).toBeVisible()
    await search.fill('0X1111111111111111111111111111111111111111')
    await expect.element(button(/^Coin/)).toBeVisible()
    await search.fill('eth')
    await button(/Ether/).click()
    expect(send.calls).toContainEqual(['setToken', 'native'])
    expect(callsTo(latchkey.calls, 'back')).toHaveLength(1)
  })

  test('entering a token’s address adds it as unlisted, even after a failure, and an address without a token is reported', async () => {
    const send = fakeSend(form)
    const added: Token = {
      ...coin,
      id: 'eip155:1:0xAb',
      address: `0x${'Ab'.repeat(20)}`,
      name: 'New',
      hidden: 'unlisted',
    }
    const results: (() => Promise<Token | undefined>)[] = [
      async () => undefined,
      async () => Promise.reject(new Error('offline')),
      async () => {
        patch(send, { tokens: { status: 'ready', value: [ether, coin, added] } })
        return added
      },
    ]
    const requested: string[] = []
    const add = async (token: string) => {
      requested.push(token)
      return results.shift()?.()
    }
    await renderView(WalletSendSelectToken, undefined, {
      state: withConnection,
      send,
      portfolio: fakePortfolio({}, { add }),
    })
    const search = page.getByRole('searchbox', { name: 'Name, symbol or address' })
    await search.fill(friend)
    await expect.element(page.getByText(/^There is no token at this address on /)).toBeVisible()
    await search.fill(added.address as string)
    await expect.element(page.getByText('Could not read this token.')).toBeVisible()
    await button('Try again').click()
    await expect.element(button(/^New/)).toBeVisible()
    await expect.element(page.getByText('Do not trust their names.', { exact: false })).toBeVisible()
    expect(requested).toEqual([friend.toLowerCase(), ...Array(2).fill(added.address?.toLowerCase())])
    expect(await axeFindings()).toEqual([])
    await button(/^New/).click()
    expect(send.calls).toContainEqual(['setToken', added.id])
  })
})

describe('WalletSendPreview', () => {
  test('shows the amount, the whole recipient, the network, the fee and the consequence, and sends on confirmation', async () => {
    const { send } = await showReview({ ...reviewed, review: { ...review, name: 'bob.shop.example' } })
    await expect.element(page.getByText(/^Send 0\.5.ETH$/)).toBeVisible()
    await expect.element(page.getByText('$1,500.00')).toBeVisible()
    await expect.element(page.getByText('bob.shop.example')).toBeVisible()
    expect(document.querySelector('.send-address .address')?.textContent).toBe(friend)
    await expect.element(page.getByText('Transfers cannot be undone.', { exact: false })).toBeVisible()
    expect(await axeFindings()).toEqual([])
    await button('Send').click()
    expect(callsTo(send.calls, 'submit')).toEqual([['submit', { label: 'Send 0.5\u2009ETH' }]])
  })

  test('a look-alike address is shown next to the other address, with the differing characters marked, and must be confirmed', async () => {
    const imitation = `0x2546${friend.slice(6, 20)}${'0'.repeat(18)}Ec30`
    const { send } = await showReview({
      ...reviewed,
      warnings: {
        status: 'ready',
        value: [{ kind: 'look-alike', address: imitation, relation: 'sent', isSerious: true }],
      },
    })
    await expect.element(page.getByText('This address resembles another one')).toBeVisible()
    const rows = [...document.querySelectorAll('.compare-address')]
    expect(rows.map((row) => row.textContent)).toEqual([friend, imitation])
    expect([...(rows[0]?.querySelectorAll('mark') ?? [])].map((mark) => mark.textContent).join('')).toBe(
      friend.slice(20, 38),
    )
    expect(await axeFindings()).toEqual([])
    await expect.element(button('Send')).toBeDisabled()
    await page.getByRole('checkbox').click()
    expect(send.calls.at(-1)).toEqual(['confirmWarnings', true])
    await expect.element(button('Send')).toBeEnabled()
  })

  test('a name that resolves to a different address than before must be confirmed', async () => {
    const warning = { kind: 'name-changed', address, isSerious: true } as const
    await showReview({ ...reviewed, warnings: { status: 'ready', value: [warning] } })
    await expect.element(page.getByText('This name has a new address')).toBeVisible()
    expect([...document.querySelectorAll('.compare-address')].map((row) => row.textContent)).toEqual([friend, address])
    await expect.element(button('Send')).toBeDisabled()
  })

  test.each([
    ['zero-address', 'Nobody owns this address', true],
    ['token-contract', 'This is the address of a token’s contract', true],
    ['checksum', 'The letters of this address do not match its checksum.', true],
    ['repeat', 'You may have sent this already', true],
    ['own-address', 'This is your own address.', false],
    ['contract', 'This address belongs to a contract', false],
    ['first-time', 'No earlier transfer to this address was found.', false],
    ['only-in-history', 'Only the history from the server contains an earlier transfer', false],
  ] as const)('the warning %s is shown', async (kind, sentence, isSerious) => {
    await showReview({ ...reviewed, warnings: { status: 'ready', value: [{ kind, isSerious }] } })
    await expect.element(page.getByText(sentence, { exact: false })).toBeVisible()
    if (isSerious) await expect.element(button('Send')).toBeDisabled()
    else await expect.element(button('Send')).toBeEnabled()
  })

  test('a token whose contract reports another symbol cannot be sent, and one with a similar symbol must be confirmed', async () => {
    const { send } = await showReview({
      ...reviewed,
      warnings: { status: 'ready', value: [{ kind: 'symbol', symbol: 'WBTC', isSerious: false }] },
    })
    await expect.element(page.getByText('Its contract calls it WBTC', { exact: false })).toBeVisible()
    await expect.element(button('Send')).toBeDisabled()
    await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument()
    patch(send, {
      warnings: { status: 'ready', value: [{ kind: 'similar-symbol', symbol: 'USDC.e', isSerious: true }] },
    })
    await expect.element(page.getByText('calls it USDC.e', { exact: false })).toBeVisible()
    await expect.element(button('Send')).toBeDisabled()
    await page.getByRole('checkbox', { name: /I will check the token and the amount/ }).click()
    expect(send.calls.at(-1)).toEqual(['confirmWarnings', true])
    expect(await axeFindings()).toEqual([])
  })

  test('the review names the service that resolved the recipient’s name', async () => {
    const named = { ...review, name: 'bob.shop.example' }
    const { send } = await showReview({ ...reviewed, review: { ...named, resolver: 'connect.shop.example' } })
    await expect.element(page.getByText('Resolved by connect.shop.example')).toBeVisible()
    patch(send, { review: named })
    await expect.element(page.getByText('Resolved by ENS')).toBeVisible()
    patch(send, { review })
    await expect.element(page.getByText('Resolved by', { exact: false })).not.toBeInTheDocument()
  })

  test('the amounts that a token withholds and delivers are shown and must be confirmed before sending', async () => {
    const warning = { kind: 'withheld', withheld: 25_000n, received: 975_000n, isSerious: true } as const
    const transfer = { ...reviewed, review: { ...review, token: coin, amount: 1_000_000n } }
    const { send } = await showReview({ ...transfer, warnings: { status: 'ready', value: [warning] } })
    await expect.element(page.getByText('The token withholds up to 0.025\u2009COIN', { exact: false })).toBeVisible()
    await expect.element(page.getByText('receives at least 0.975\u2009COIN', { exact: false })).toBeVisible()
    await expect.element(button('Send')).toBeDisabled()
    await page.getByRole('checkbox', { name: /the recipient can receive less/ }).click()
    expect(send.calls.at(-1)).toEqual(['confirmWarnings', true])
    const unknown = { kind: 'unchecked', what: 'withheld', isSerious: true } as const
    patch(send, { warnings: { status: 'ready', value: [unknown] }, warningsConfirmed: false })
    await expect.element(page.getByText('It could not be determined how much', { exact: false })).toBeVisible()
    await expect.element(button('Send')).toBeDisabled()
  })

  test('if the recipient is a contract on another network, the network is named and the user must confirm', async () => {
    const warning = { kind: 'contract-elsewhere', network: 'Polygon', isSerious: true } as const
    await showReview({ ...reviewed, warnings: { status: 'ready', value: [warning] } })
    await expect
      .element(page.getByText('a contract on Polygon, but not on this network', { exact: false }))
      .toBeVisible()
    await expect.element(button('Send')).toBeDisabled()
  })

  test('nothing can be sent while the recipient is being checked', async () => {
    const { send } = await showReview({ ...reviewed, warnings: { status: 'loading' } })
    await expect.element(page.getByText('Checking the recipient…')).toBeVisible()
    await expect.element(button('Send')).toBeDisabled()
    patch(send, { warnings: { status: 'ready', value: [] } })
    await expect.element(button('Send')).toBeEnabled()
  })

  test('nothing can be sent after the account or the network has changed', async () => {
    const { send, latchkey } = await showReview(form)
    await expect.element(page.getByText('Nothing was sent')).toBeVisible()
    await expect.element(button('Send')).not.toBeInTheDocument()
    await button('Edit transfer').click()
    expect(send.calls.at(-1)).toEqual(['endReview'])
    expect(callsTo(latchkey.calls, 'back')).toHaveLength(1)
  })

  test('the progress is shown until the transfer is confirmed, with a link to the explorer', async () => {
    const { send, latchkey } = await showReview({ ...reviewed, transfer: { status: 'requested', review } })
    await expect.element(page.getByText('Confirm in your wallet')).toBeVisible()
    await expect.element(button('Send')).not.toBeInTheDocument()
    patch(send, { review: undefined, transfer: { status: 'pending', review, hash, at: 0 } })
    await expect.element(page.getByText(/^Sending 0\.5.ETH$/)).toBeVisible()
    const link = page.getByRole('link', { name: /View on Etherscan/ })
    await expect.element(link).toHaveAttribute('href', `https://etherscan.io/tx/${hash}`)
    patch(send, { transfer: { status: 'done', review, hash, at: 0 } })
    await expect.element(page.getByText(/^0\.5.ETH sent$/)).toBeVisible()
    expect(await axeFindings()).toEqual([])
    await button('Done').click()
    expect(send.calls.at(-1)).toEqual(['dismiss'])
    expect(latchkey.state.get().modal.stack.map(({ view }) => view)).toEqual(['Account'])
  })

  test.each([
    ['a declined transfer', fakeFailure('user/rejected', { request: 'eth_sendTransaction' }), 'You declined'],
    ['an error of the wallet', fakeFailure('wallet/failed', { message: 'Locked' }), 'The wallet reported: Locked'],
  ] as const)('%s is explained, and can be requested again', async (_, error, sentence) => {
    const { send } = await showReview({ ...reviewed, transfer: { status: 'failed', review, error } })
    await expect.element(page.getByText(sentence)).toBeVisible()
    expect(await axeFindings()).toEqual([])
    await button('Try again').click()
    expect(callsTo(send.calls, 'submit')).toHaveLength(1)
  })

  test('after a revert or an unknown outcome, the next steps are shown and the transfer cannot be repeated by accident', async () => {
    const { send } = await showReview({ ...form, transfer: { status: 'reverted', review, hash, at: 0 } })
    await expect.element(page.getByText('Only the network fee was charged.', { exact: false })).toBeVisible()
    await expect.element(button('Try again')).not.toBeInTheDocument()
    patch(send, { transfer: { status: 'unknown', review, at: 0 } })
    await expect.element(page.getByText('This transfer may have been sent')).toBeVisible()
    await button('Edit transfer').click()
    // The outcome is kept, so that the form still warns about it.
    expect(callsTo(send.calls, 'dismiss')).toEqual([])
  })
})
