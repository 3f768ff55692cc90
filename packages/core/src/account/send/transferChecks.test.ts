import { describe, expect, test } from 'vitest'
import { fakeNetwork } from '../../testing/fakeAdapter.ts'
import type { PortfolioSubject, Token } from '../portfolioTypes.ts'
import { initialState } from './deriveSendState.ts'
import type { TransferToEstimate } from './feeEstimate.ts'
import type { RecipientChecks } from './recipientChecks.ts'
import type { SendState } from './sendTypes.ts'
import { createTransferChecks } from './transferChecks.ts'

const to = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30'
const found = { isContract: false } as RecipientChecks
const ether = { id: 'native', amount: 10n } as Token
const coin = { id: 'coin', address: '0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C', amount: 10n } as Token

function transferChecks(chain: 'eip155:1' | 'cosmos:hub' = 'eip155:1') {
  const state: { -readonly [Key in keyof SendState]: SendState[Key] } = { ...initialState, token: ether, amount: 4n }
  const subject = { account: `${chain}:own`, network: fakeNetwork(chain) } as unknown as PortfolioSubject
  const requests: { readonly signal: AbortSignal; resolve(results: RecipientChecks): void }[] = []
  const estimates: (TransferToEstimate | undefined)[] = []
  const checks = createTransferChecks({
    check: (_, signal) => new Promise((resolve) => requests.push({ signal, resolve })),
    fee: { update: (transfer) => estimates.push(transfer) },
    state: () => state,
    subject: () => subject,
    changed() {},
  })
  return { state, checks, requests, estimates }
}

describe('the checks of a transfer', () => {
  test('start once a recipient is known, and again only for another recipient or token', async () => {
    const { state, checks, requests } = transferChecks()
    checks.update()
    expect(requests).toHaveLength(0)
    state.recipient = { text: to, status: 'ready', address: to }
    checks.update()
    state.amount = 5n
    checks.update()
    expect(requests).toHaveLength(1)
    requests[0]?.resolve(found)
    await Promise.resolve()
    expect(checks.results()).toBe(found)
    state.token = coin
    checks.update()
    expect([requests.length, checks.results()]).toEqual([2, undefined])
  })

  test('ignore the results for an earlier recipient', async () => {
    const { state, checks, requests } = transferChecks()
    state.recipient = { text: to, status: 'ready', address: to }
    checks.update()
    state.recipient = { text: '', status: 'empty' }
    checks.update()
    expect(requests[0]?.signal.aborted).toBe(true)
    requests[0]?.resolve(found)
    await Promise.resolve()
    expect(checks.results()).toBeUndefined()
  })

  test('are repeated by retry(), and aborted by stop()', () => {
    const { state, checks, requests } = transferChecks()
    checks.retry()
    expect(requests).toHaveLength(0)
    state.recipient = { text: to, status: 'ready', address: to }
    checks.update()
    checks.retry()
    checks.stop()
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, true])
  })

  test('estimate the fee of a valid amount, but not of the maximum, which depends on the fee', () => {
    const { state, checks, estimates } = transferChecks()
    checks.update()
    expect(estimates.at(-1)).toMatchObject({ amount: 4n, to: undefined })
    state.amount = 11n
    checks.update()
    expect(estimates.at(-1)?.amount).toBeUndefined()
    Object.assign(state, { amount: 10n, isMax: true })
    checks.update()
    expect(estimates.at(-1)?.amount).toBeUndefined()
    state.token = coin
    checks.update()
    expect(estimates.at(-1)?.amount).toBe(10n)
  })

  test('estimate no fee for an empty balance, or on a chain family that cannot send', () => {
    const { state, checks, estimates } = transferChecks()
    state.token = { ...ether, amount: 0n }
    checks.update()
    expect(estimates).toEqual([undefined])
    const cosmos = transferChecks('cosmos:hub')
    cosmos.checks.update()
    expect(cosmos.estimates).toEqual([undefined])
  })
})
