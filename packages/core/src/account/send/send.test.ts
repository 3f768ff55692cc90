import type { AccountId } from '@latchkey/protocol/caip'
import { accountFailure } from '@latchkey/protocol/errors/accountErrorMessages'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { fakeClock } from '@latchkey/protocol/testing'
import { describe, expect, test } from 'vitest'
import type { Adapter, Network, Session, TransferFee } from '../../adapter.ts'
import type { AnalyticsEvent } from '../../analytics/analyticsEvents.ts'
import { createLog } from '../../lib/log.ts'
import { createStore } from '../../lib/store.ts'
import { draftEntry } from '../../storage/draftStorage.ts'
import { fakeAccountNames } from '../../testing/fakeAccountNames.ts'
import { fakeAdapter, fakeNetwork } from '../../testing/fakeAdapter.ts'
import { memoryStorage } from '../../testing/memoryStorage.ts'
import type { AccountNames } from '../accountNamesTypes.ts'
import type { PendingTransaction } from '../pendingTransactionTypes.ts'
import type { Portfolio, PortfolioState, PortfolioSubject, Token } from '../portfolioTypes.ts'
import { recentRecipients } from './recentRecipients.ts'
import { createSend } from './send.ts'
import { sendDraft } from './sendDraft.ts'

const own = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const other = '0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C'
const friend = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30'
const hash = `0x${'ab'.repeat(32)}`
const fee: TransferFee = { amount: 21n * 10n ** 12n, maxAmount: 42n * 10n ** 12n }

const network = fakeNetwork('eip155:1', {
  name: 'Ethereum',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
})
const ether: Token = {
  id: 'native',
  chain: 'eip155:1',
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  amount: 10n ** 18n,
  price: { amount: '3000', at: 0 },
}
const coin: Token = {
  id: `eip155:1:${other}`,
  chain: 'eip155:1',
  address: other,
  name: 'Coin',
  symbol: 'COIN',
  decimals: 6,
  amount: 5_000_000n,
}

interface Setup {
  readonly adapter?: Partial<Adapter>
  readonly names?: AccountNames
  readonly hosts?: readonly string[]
  readonly tokens?: readonly Token[]
  readonly send?: Session['can']['send']
  readonly local?: ReturnType<typeof memoryStorage>
  readonly tab?: ReturnType<typeof memoryStorage>
  readonly network?: Network
  readonly account?: AccountId
}

function start(setup: Setup = {}) {
  const clock = fakeClock()
  const log = createLog({ now: clock.now, level: 'silent' })
  const local = setup.local ?? memoryStorage()
  const tab = setup.tab ?? memoryStorage()
  const sent: unknown[] = []
  const events: AnalyticsEvent[] = []
  const activity: unknown[] = []
  const listeners = new Set<() => void>()
  const session = (account: AccountId): Session =>
    ({
      accounts: [account],
      chain: account.slice(0, account.lastIndexOf(':')),
      can: {
        async send(params: unknown) {
          sent.push(params)
          return setup.send ? setup.send(params as never) : { hash }
        },
      },
    }) as unknown as Session
  const subjectOf = (account: AccountId, on: Network): PortfolioSubject => ({
    account,
    network: on,
    session: session(account),
  })
  let now: PortfolioSubject | undefined = subjectOf(setup.account ?? `eip155:1:${own}`, setup.network ?? network)
  const portfolioState = createStore<PortfolioState>({
    account: now.account,
    tokens: { status: 'ready', value: setup.tokens ?? [ether, coin] },
  })
  const portfolio: Portfolio = {
    state: portfolioState,
    refresh: async () => undefined,
    poll: async () => undefined,
    add: async () => undefined,
    stop: () => undefined,
  }
  const transactions = createStore<readonly PendingTransaction[]>([])
  const adapter: Adapter = {
    ...fakeAdapter({ networks: [network] }),
    transferFee: async () => fee,
    isContract: async () => false,
    tokenDecimals: async () => 6,
    tokenSymbol: async () => 'COIN',
    checksumAddress: async (address: string) =>
      [own, other, friend].find((known) => known.toLowerCase() === address.toLowerCase()) ?? address,
    ...setup.adapter,
  } as Adapter
  const send = createSend({
    api: undefined,
    adapters: [adapter],
    portfolio,
    names: async () => setup.names,
    hosts: setup.hosts ?? ['connect.shop.example'],
    draft: draftEntry({ storage: () => tab, log }, 'send', sendDraft),
    recent: recentRecipients({ storage: () => local, log }),
    activity: { add: (transaction) => void activity.push(transaction) },
    transactions,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isShown: () => true,
    now: () => now,
    track: (event) => void events.push(event),
    clock,
    log,
  })
  return {
    send,
    clock,
    local,
    tab,
    sent,
    events,
    activity,
    transactions,
    portfolioState,
    state: send.state.get,
    change(account: AccountId | undefined, on: Network = network) {
      now = account && subjectOf(account, on)
      for (const listener of listeners) listener()
    },
    /** Waits until promises that are already settled have been handled. */
    settle: () => clock.pass(1_000),
  }
}

async function ready(setup: Setup = {}) {
  const form = start(setup)
  form.send.setAmount('0.5')
  form.send.setRecipient(friend)
  await form.settle()
  return form
}

describe('the next step', () => {
  test('names the first requirement that is not met, in the order of the specification', async () => {
    const { send, state, settle } = start()
    send.setToken('')
    expect(state().step).toBe('select-token')
    send.setToken('native')
    expect(state().step).toBe('add-amount')
    send.setAmount('2')
    expect(state().step).toBe('insufficient-funds')
    send.setAmount('0')
    expect(state().step).toBe('incorrect-amount')
    send.setToken(coin.id)
    expect(state().step).toBe('add-amount')
    send.setAmount('1.0000001')
    expect(state().step).toBe('incorrect-amount')
    send.setAmount('1')
    expect(state().step).toBe('add-address')
    send.setRecipient('abc')
    expect(state().step).toBe('checking-address')
    await settle()
    expect(state().step).toBe('invalid-address')
    send.setRecipient(friend)
    await settle()
    expect(state().step).toBe('review')
  })

  test('is `insufficient-fee` if the balance does not cover the fee', async () => {
    const { send, state, settle } = await ready({ tokens: [{ ...ether, amount: 10n ** 12n }, coin] })
    send.setToken(coin.id)
    send.setAmount('1')
    await settle()
    expect(state().step).toBe('insufficient-fee')
    expect(state().fee).toEqual({ status: 'ready', value: fee })
  })

  test('a fee that cannot be estimated is reported, and does not prevent sending', async () => {
    const failing = async () => {
      throw new LatchkeyError('http/unreachable', { url: 'https://node.example' })
    }
    const { state } = await ready({ adapter: { transferFee: failing } })
    expect(state()).toMatchObject({ step: 'review', fee: { status: 'failed', error: { code: 'http/unreachable' } } })
  })
})

describe('the amount', () => {
  test('is the balance minus the maximum fee after setMax(), and changes with the fee', async () => {
    let now = fee
    const { send, state, settle } = await ready({ adapter: { transferFee: async () => now } })
    send.setMax()
    expect(state().amount).toBe(ether.amount - fee.maxAmount)
    expect(state().amountText).toBe('0.999958')
    now = { amount: 2n * fee.amount, maxAmount: 2n * fee.maxAmount }
    send.retry()
    await settle()
    expect(state().amount).toBe(ether.amount - now.maxAmount)
    expect(state().step).toBe('review')
  })

  test('stays exactly the same when the unit changes', async () => {
    const { send, state } = await ready()
    send.setAmount('0.123456789012345678')
    send.setUnit('fiat')
    expect(state()).toMatchObject({ unit: 'fiat', amountText: '370.37', amount: 123456789012345678n })
    send.setUnit('token')
    expect(state()).toMatchObject({ amountText: '0.123456789012345678', amount: 123456789012345678n })
    send.setUnit('fiat')
    send.setAmount('3000')
    expect(state().amount).toBe(10n ** 18n)
  })
})

describe('the recipient', () => {
  const names = (lookup: AccountNames['lookup']) => fakeAccountNames({}, { lookup })
  const profile = (address: string) => ({
    name: 'bob.shop.example',
    registered_at: '2026-01-01T00:00:00Z',
    addresses: { 60: { address } },
  })
  const resolvedIn = async (setup: Setup, text: string) => {
    const form = start(setup)
    form.send.setRecipient(text)
    await form.settle()
    return form.state().recipient
  }

  test.each([
    ['base.eth', ['connect.base.eth'], 'a zone of ENS'],
    ['cb.id', ['connect.shop.example', 'shop.example'], 'the domain of others'],
    ['shop.example', ['evilshop.example'], 'a domain that only ends with the same letters'],
    ['co.uk', ['connect.shop.co.uk', 'shop.co.uk'], 'a public suffix'],
    ['com.au', ['latchkey.com.au'], 'a public suffix'],
    ['or.jp', ['shop.or.jp'], 'a public suffix'],
    ['uk.com', ['shop.uk.com'], 'a public suffix'],
    ['github.io', ['shop.github.io'], 'a domain of which others have parts'],
    ['vercel.app', ['connect.example', 'shop.vercel.app'], 'a domain of which others have parts'],
    ['workers.dev', ['latchkey.operator.workers.dev'], 'a domain of which others have parts'],
    ['eth.limo', ['shop.eth.limo'], 'a domain of which others have parts'],
  ])('with a name in %s is not resolved by the server at %s, because it is %s', async (zone, hosts) => {
    const lookedUp: string[] = []
    const names = fakeAccountNames(
      {},
      {
        zone: async () => zone,
        async lookup(name) {
          lookedUp.push(name)
          return profile(other)
        },
      },
    )
    const adapter = { resolveName: async () => friend }
    expect(await resolvedIn({ names, hosts, adapter }, `bob.${zone}`)).toMatchObject({ address: friend })
    expect(lookedUp).toEqual([])
  })

  test('with a name in the server’s zone gets its address for the network or all networks, not for Ethereum only', async () => {
    const named = (addresses: Record<string, string>) =>
      names(async () => ({
        ...profile(friend),
        addresses: Object.fromEntries(Object.entries(addresses).map(([type, address]) => [type, { address }])),
      }))
    const on = (addresses: Record<string, string>, chain: 'eip155:1' | 'eip155:137') =>
      resolvedIn(
        { names: named(addresses), network: fakeNetwork(chain), account: `${chain}:${own}` },
        'bob.shop.example',
      )
    // The address on Ethereum can be a contract, which does not exist on other networks.
    expect(await on({ 60: friend }, 'eip155:137')).toMatchObject({ status: 'unknown-name' })
    expect(await on({ 60: friend }, 'eip155:1')).toMatchObject({ address: friend, resolver: 'connect.shop.example' })
    expect(await on({ 60: friend, 2147483648: friend }, 'eip155:137')).toMatchObject({ address: friend })
    expect(await on({ 60: friend, 2147483648: friend, 2147483785: other }, 'eip155:137')).toMatchObject({
      address: other,
    })
    expect(await on({ 2147483785: other }, 'eip155:1')).toMatchObject({ status: 'unknown-name' })
  })

  test.each(['аlice.shop.example', 'al\u202eice.shop.example', 'alice\u2024x.shop.example', 'ali_ce.shop.example'])(
    'with the name %o, which a server cannot register, is not resolved by the server',
    async (name) => {
      const recipient = await resolvedIn({ names: names(async () => profile(other)) }, name)
      expect(recipient).toMatchObject({ status: 'unknown-name' })
    },
  )

  test('with a name in full-width letters is resolved as the name in plain letters', async () => {
    const recipient = await resolvedIn({ adapter: { resolveName: async () => friend } }, 'ａlice.eth')
    expect(recipient).toMatchObject({ name: 'alice.eth', address: friend })
  })

  test('in a payment link for another network is not accepted', async () => {
    expect(await resolvedIn({}, `ethereum:${friend}@10`)).toMatchObject({ status: 'invalid' })
    expect(await resolvedIn({}, `eip155:10:${friend}`)).toMatchObject({ status: 'invalid' })
    expect(await resolvedIn({}, `ethereum:${friend}@1`)).toMatchObject({ status: 'ready', address: friend })
  })

  test('is looked up once, half a second after the last keystroke', async () => {
    const lookedUp: string[] = []
    const { send, state, clock } = start({
      names: names(async (name) => {
        lookedUp.push(name)
        return profile(friend)
      }),
    })
    send.setRecipient('bob.shop.exampl')
    await clock.pass(400)
    send.setRecipient('bob.shop.example')
    await clock.pass(499)
    expect(lookedUp).toEqual([])
    expect(state().recipient).toEqual({ text: 'bob.shop.example', status: 'checking' })
    await clock.pass(1)
    expect(lookedUp).toEqual(['bob.shop.example'])
    expect(state().recipient).toMatchObject({ status: 'ready', address: friend, name: 'bob.shop.example' })
  })

  test('with a name is looked up in the server’s zone or in ENS, and only in ENS if the server has no zone [R7.13]', async () => {
    const setup = {
      names: names(async (name) => (name === 'bob.shop.example' ? profile(friend) : undefined)),
      adapter: { resolveName: async ({ name }: { name: string }) => (name === 'bob.eth' ? other : undefined) },
    }
    const { send, state, settle } = start(setup)
    const resolved = async (text: string) => {
      send.setRecipient(text)
      await settle()
      return state().recipient
    }
    expect(await resolved('Bob.shop.example')).toMatchObject({
      status: 'ready',
      address: friend,
      name: 'bob.shop.example',
    })
    expect(await resolved('bob.eth')).toMatchObject({ status: 'ready', address: other, name: 'bob.eth' })
    expect(state().recipient).not.toHaveProperty('resolver')
    expect(await resolved('eve.shop.example')).toMatchObject({ status: 'unknown-name' })
    const { names: _, ...withoutServer } = setup
    const plain = start(withoutServer)
    plain.send.setRecipient('bob.eth')
    await plain.settle()
    expect(plain.state().recipient).toMatchObject({ status: 'ready', address: other })
  })

  test('is never the result of a lookup for an earlier text, even if that lookup is late, fails or finds nothing', async () => {
    let answer: (address: string) => void = () => undefined
    const late = new Promise<string>((resolve) => (answer = resolve))
    const { send, state, settle } = start({
      adapter: {
        async resolveName({ name }) {
          if (name === 'late.eth') return late
          if (name === 'broken.eth') throw new Error('The node failed.')
          return undefined
        },
      },
    })
    send.setRecipient('late.eth')
    await settle()
    send.setRecipient('broken.eth')
    await settle()
    answer(other)
    await settle()
    expect(state().recipient).toMatchObject({ text: 'broken.eth', status: 'failed' })
    expect(state().recipient.address).toBeUndefined()
    send.setRecipient(friend)
    await settle()
    send.setRecipient('unknown.eth')
    expect(state().recipient.address).toBeUndefined()
    await settle()
    expect(state().recipient).toEqual({ text: 'unknown.eth', status: 'unknown-name' })
    send.setRecipient('')
    expect(state().recipient).toEqual({ text: '', status: 'empty' })
    expect(state().warnings).toEqual({ status: 'idle' })
  })

  test('with a wrong checksum is only accepted in a second step, and is then a serious warning', async () => {
    const { send, state, settle } = start()
    send.setAmount('0.1')
    send.setRecipient(friend.replace('BcD', 'bCd'))
    await settle()
    expect(state()).toMatchObject({ step: 'invalid-address', recipient: { status: 'wrong-checksum', address: friend } })
    expect(send.startReview()).toBe(false)
    send.acceptChecksum()
    await settle()
    expect(state().step).toBe('review')
    expect(state().warnings.value).toContainEqual({ kind: 'checksum', isSerious: true })
    send.setRecipient(friend.toLowerCase())
    await settle()
    expect(state().recipient).toEqual({ text: friend.toLowerCase(), status: 'ready', address: friend })
  })

  test('is looked up again on another network, and an address of another chain family is invalid', async () => {
    const chains: string[] = []
    const { send, state, settle, change } = start({
      adapter: {
        async resolveName({ network: on }) {
          chains.push(on.caipNetworkId)
          return on.caipNetworkId === 'eip155:1' ? friend : other
        },
      },
    })
    send.setRecipient('bob.eth')
    await settle()
    expect(state().recipient.address).toBe(friend)
    change(`eip155:10:${own}`, fakeNetwork('eip155:10'))
    expect(state().recipient.address).toBeUndefined()
    await settle()
    expect(state().recipient).toMatchObject({ text: 'bob.eth', address: other })
    expect(chains).toEqual(['eip155:1', 'eip155:10'])
  })
})

describe('sending', () => {
  test('sends exactly the reviewed transfer to the wallet, adds it to the activity, and reports it to analytics', async () => {
    const { send, state, sent, activity, events, transactions } = await ready()
    expect(send.startReview()).toBe(true)
    expect(state().review).toMatchObject({ to: friend, amount: 5n * 10n ** 17n, chain: 'eip155:1' })
    await send.submit({ label: 'Send 0.5 ETH' })
    expect(sent).toEqual([{ from: `eip155:1:${own}`, to: friend, amount: 5n * 10n ** 17n }])
    expect(activity).toEqual([{ hash, label: 'Send 0.5 ETH', chain: 'eip155:1', account: `eip155:1:${own}` }])
    expect(state()).toMatchObject({ transfer: { status: 'pending', hash }, review: undefined, amountText: '' })
    const properties = { isSmartAccount: false, network: 'eip155:1', token: 'ETH', amount: 0.5 }
    expect(events).toEqual([
      { event: 'SEND_INITIATED', properties },
      { event: 'SEND_SUCCESS', properties: { ...properties, hash } },
    ])
    const added = { hash, label: '', chain: 'eip155:1', account: `eip155:1:${own}`, addedAt: 0 } as const
    transactions.set([{ ...added, status: 'done' }])
    expect(state().transfer.status).toBe('done')
    expect(state().recent).toMatchObject([{ address: friend }])
  })

  test('a double click, or a second call while the wallet prompts the user, sends once', async () => {
    let answer: (value: { hash: string }) => void = () => undefined
    const { send, sent, state } = await ready({ send: () => new Promise((resolve) => (answer = resolve)) })
    send.startReview()
    const both = [send.submit({ label: 'a' }), send.submit({ label: 'a' })]
    expect(state().transfer.status).toBe('requested')
    answer({ hash })
    expect(await Promise.all(both)).toEqual([{ hash }, { hash }])
    expect(sent).toHaveLength(1)
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'send/incomplete' })
    expect(sent).toHaveLength(1)
  })

  test('after the user declines, the input is kept and the transfer can be sent again', async () => {
    let declines = true
    const { send, sent, state, events } = await ready({
      send: async () => {
        if (declines) throw new LatchkeyError('user/rejected', { request: 'eth_sendTransaction' })
        return { hash }
      },
    })
    send.startReview()
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'user/rejected' })
    expect(state()).toMatchObject({ transfer: { status: 'failed' }, amountText: '0.5', recipient: { text: friend } })
    expect(events.map(({ event }) => event)).toEqual(['SEND_INITIATED', 'SEND_REJECTED'])
    declines = false
    await send.submit({ label: 'a' })
    expect(sent).toHaveLength(2)
    expect(state().transfer.status).toBe('pending')
  })

  test('after a lost connection, the outcome is unknown, and the same transfer must be confirmed as a repetition', async () => {
    const { send, sent, state, settle } = await ready({
      send: async () => {
        throw new LatchkeyError('wallet/unresponsive', { connectorId: 'w' })
      },
    })
    send.startReview()
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'wallet/unresponsive' })
    expect(state()).toMatchObject({ transfer: { status: 'unknown' }, review: undefined, amountText: '0.5' })
    await settle()
    expect(send.startReview()).toBe(true)
    expect(state().warnings.value?.[0]).toEqual({ kind: 'repeat', isSerious: true })
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'input/invalid' })
    expect(sent).toHaveLength(1)
    send.confirmWarnings(true)
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'wallet/unresponsive' })
    expect(sent).toHaveLength(2)
  })

  test.each([
    ['account', `eip155:1:${other}` as const, network],
    ['network', `eip155:10:${own}` as const, fakeNetwork('eip155:10')],
  ])('if the %s changes after the review, nothing is sent and the input is kept', async (_, account, on) => {
    const { send, sent, state, change } = await ready()
    send.startReview()
    change(account, on)
    expect(state()).toMatchObject({ review: undefined, recipient: { text: friend } })
    await expect(send.submit({ label: 'a' })).rejects.toSatisfy((error) => isLatchkeyError(error))
    expect(sent).toEqual([])
    change(`eip155:1:${own}`)
    expect(state().amountText).toBe('0.5')
  })

  test('if the wallet replaced the transfer, its outcome is unknown, because the wallet might have sent it again', async () => {
    const { send, state, transactions } = await ready()
    send.startReview()
    await send.submit({ label: 'a' })
    expect(state().transfer).toMatchObject({ status: 'pending', hash })
    const replaced = { hash, label: 'a', chain: 'eip155:1', account: `eip155:1:${own}`, addedAt: 0 } as const
    transactions.set([{ ...replaced, status: 'replaced' }])
    expect(state().transfer.status).toBe('unknown')
  })

  test('an expired transfer has failed, and is filled in again unless the user has begun another one', async () => {
    const dropped = {
      hash,
      label: 'a',
      chain: 'eip155:1',
      account: `eip155:1:${own}`,
      addedAt: 0,
      status: 'dropped',
    } as const
    const first = await ready()
    first.send.startReview()
    await first.send.submit({ label: 'a' })
    expect(first.state().amountText).toBe('')
    first.transactions.set([dropped])
    expect(first.state().transfer).toMatchObject({ status: 'failed', error: { code: 'send/expired' } })
    expect(first.state()).toMatchObject({ amountText: '0.5', recipient: { text: friend } })
    expect(first.state().recent).toEqual([])
    await first.settle()
    expect(first.state().warnings.value?.map(({ kind }) => kind)).not.toContain('repeat')

    const second = await ready()
    second.send.startReview()
    await second.send.submit({ label: 'a' })
    second.send.setAmount('0.125')
    second.transactions.set([dropped])
    expect(second.state()).toMatchObject({ amountText: '0.125', transfer: { status: 'failed' } })
  })

  test('on Solana, SOL and tokens can be sent, and a token is identified by its mint [R5.14]', async () => {
    const chain = 'solana:local' as const
    const address = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
    const recipient = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
    const sol = { ...ether, chain, symbol: 'SOL', decimals: 9, amount: 2_000_000_000n }
    const mint = { ...coin, id: `${chain}:${friend}`, chain }
    const solana = fakeNetwork(chain)
    const { send, sent, settle } = start({
      network: solana,
      account: `${chain}:${address}`,
      tokens: [sol, mint],
      adapter: {
        namespace: 'solana',
        transferFee: async ({ token }) => ({ amount: 5_000n, maxAmount: 5_000n, ...(token && { withheld: 0n }) }),
      },
    })
    for (const token of [sol, mint]) {
      send.setToken(token.id)
      send.setAmount('0.5')
      send.setRecipient(recipient)
      await settle()
      expect(send.startReview()).toBe(true)
      await send.submit({ label: 'a' })
    }
    const common = { from: `${chain}:${address}`, to: recipient }
    expect(sent).toEqual([
      { ...common, amount: 500_000_000n },
      { ...common, amount: 500_000n, token: mint.id, decimals: 6, maxWithheld: 0n },
    ])
  })

  test.each([
    ['already known', 'unknown'],
    ['Request timed out', 'unknown'],
    ['Internal JSON-RPC error.', 'unknown'],
    ['insufficient funds for gas', 'failed'],
  ])('after the wallet reported “%s”, the outcome is %s', async (message, status) => {
    const { send, state } = await ready({
      send: async () => {
        throw new LatchkeyError('wallet/failed', { message })
      },
    })
    send.startReview()
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'wallet/failed' })
    expect(state().transfer.status).toBe(status)
  })

  test('if the wallet returns no valid hash, the transfer may have been sent, and the form does not repeat it without a confirmation', async () => {
    const { send, state, sent } = await ready({
      send: async () => {
        throw accountFailure('send/unconfirmed')
      },
    })
    send.startReview()
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'send/unconfirmed' })
    expect(state()).toMatchObject({ transfer: { status: 'unknown' }, review: undefined })
    expect(send.startReview()).toBe(true)
    expect(state().warnings.value).toContainEqual({ kind: 'repeat', isSerious: true })
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'input/invalid' })
    expect(sent).toHaveLength(1)
  })

  test('a transfer that was replaced in the wallet must be confirmed as a repetition, even in another tab', async () => {
    const local = memoryStorage()
    const { send, transactions } = await ready({ local })
    send.startReview()
    await send.submit({ label: 'a' })
    send.open()
    transactions.set([
      { hash, label: 'a', chain: 'eip155:1', account: `eip155:1:${own}`, addedAt: 0, status: 'replaced' },
    ])
    const second = await ready({ local })
    second.send.startReview()
    expect(second.state().warnings.value).toContainEqual({ kind: 'repeat', isSerious: true })
  })

  test('a transfer that may have been sent still counts as a repetition after the user declines the next attempt', async () => {
    const failures = [
      new LatchkeyError('wallet/unresponsive', { connectorId: 'w' }),
      new LatchkeyError('user/rejected', { request: 'eth_sendTransaction' }),
    ]
    const { send, state } = await ready({
      send: async () => {
        throw failures.shift()
      },
    })
    send.startReview()
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'wallet/unresponsive' })
    send.startReview()
    send.confirmWarnings(true)
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'user/rejected' })
    send.endReview()
    send.startReview()
    expect(state().warnings.value).toContainEqual({ kind: 'repeat', isSerious: true })
  })

  test('a transfer that may have been sent still counts as a repetition after another transfer was sent', async () => {
    let attempts = 0
    const { send, state, settle } = await ready({
      send: async () => {
        attempts += 1
        if (attempts === 1) throw new LatchkeyError('wallet/unresponsive', { connectorId: 'w' })
        return { hash }
      },
    })
    send.startReview()
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'wallet/unresponsive' })
    send.setAmount('0.1')
    await settle()
    send.startReview()
    await send.submit({ label: 'b' })
    send.setAmount('0.5')
    send.setRecipient(friend)
    await settle()
    send.startReview()
    expect(state().warnings.value).toContainEqual({ kind: 'repeat', isSerious: true })
  })

  test('a name with a new address causes a warning, even if the last payment did not use the name', async () => {
    let owner = friend
    let count = 0
    const hashOf = (number: number) => `0x${String(number).padStart(64, '0')}`
    const { send, state, settle, transactions } = start({
      adapter: { resolveName: async () => owner } as never,
      send: async () => {
        count += 1
        return { hash: hashOf(count) }
      },
    })
    const pay = async (recipient: string, amount: string): Promise<void> => {
      send.setAmount(amount)
      send.setRecipient(recipient)
      await settle()
      send.startReview()
      send.confirmWarnings(true)
      await send.submit({ label: 'a' })
      const common = { label: 'a', chain: 'eip155:1', account: `eip155:1:${own}`, addedAt: 0, status: 'done' } as const
      transactions.set([{ ...common, hash: hashOf(count) }])
      send.open()
    }
    await pay('alice.eth', '0.1')
    await pay(friend, '0.2')
    expect(state().recent).toMatchObject([{ address: friend, name: 'alice.eth' }])
    owner = other
    send.setAmount('0.3')
    send.setRecipient('alice.eth')
    await settle()
    send.startReview()
    expect(state().warnings.value?.map(({ kind }) => kind)).toContain('name-changed')
  })

  test('a transfer that another tab has sent in the meantime must be confirmed as a repetition', async () => {
    const local = memoryStorage()
    const [first, second] = [await ready({ local }), await ready({ local })]
    for (const { send } of [first, second]) expect(send.startReview()).toBe(true)
    // The user confirmed the warnings before the repetition was known.
    second.send.confirmWarnings(true)
    await first.send.submit({ label: 'a' })
    await expect(second.send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'input/invalid' })
    expect(second.sent).toEqual([])
    expect(second.state().warnings.value).toContainEqual({ kind: 'repeat', isSerious: true })
    second.send.confirmWarnings(true)
    await second.send.submit({ label: 'a' })
    expect(second.sent).toHaveLength(1)
    // A different amount is not a repetition.
    const third = await ready({ local })
    third.send.setAmount('0.4')
    await third.settle()
    third.send.startReview()
    expect(third.state().warnings.value?.map(({ kind }) => kind)).not.toContain('repeat')
  })

  test('a transfer that another tab is still requesting from the wallet must be confirmed as a repetition', async () => {
    const local = memoryStorage()
    let decline = (): void => undefined
    const asking = new Promise<never>((_, reject) => {
      decline = () => reject(new LatchkeyError('user/rejected', { request: 'eth_sendTransaction' }))
    })
    const first = await ready({ local, send: () => asking })
    const second = await ready({ local })
    for (const { send } of [first, second]) expect(send.startReview()).toBe(true)
    const declined = expect(first.send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'user/rejected' })
    await expect(second.send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'input/invalid' })
    expect(second.state().warnings.value).toContainEqual({ kind: 'repeat', isSerious: true })
    expect(second.sent).toEqual([])
    // The wallet sent nothing for the first tab, so the second tab can send. The first tab does not warn about its own request.
    decline()
    await declined
    expect(first.state().warnings.value?.map(({ kind }) => kind)).not.toContain('repeat')
    await second.send.submit({ label: 'a' })
    expect(second.sent).toHaveLength(1)
  })

  test.each([
    ['WBTC', 'symbol', false],
    ['COIN.e', 'similar-symbol', true],
  ] as const)('a token whose contract reports the symbol %s causes the warning %s', async (symbol, kind, canBeSent) => {
    const { send, state, sent, settle } = await ready({ adapter: { tokenSymbol: async () => symbol } })
    send.setToken(coin.id)
    send.setAmount('1')
    await settle()
    send.startReview()
    expect(state().warnings.value?.[0]).toEqual({ kind, symbol, isSerious: canBeSent })
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({
      code: canBeSent ? 'input/invalid' : 'send/would-fail',
    })
    send.confirmWarnings(true)
    await send.submit({ label: 'a' }).catch(() => undefined)
    expect(sent).toHaveLength(canBeSent ? 1 : 0)
  })

  test('a token whose contract does not report a symbol is only sent after a confirmation', async () => {
    const { send, state, sent, settle } = await ready({ adapter: { tokenSymbol: async () => undefined } })
    send.setToken(coin.id)
    send.setAmount('1')
    await settle()
    send.startReview()
    expect(state().warnings.value).toContainEqual({ kind: 'unchecked', what: 'symbol', isSerious: true })
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'input/invalid' })
    send.confirmWarnings(true)
    await send.submit({ label: 'a' })
    expect(sent).toHaveLength(1)
  })

  test.each<[string, Partial<Adapter>]>([
    [
      'the estimate of the fee',
      {
        tokenDecimals: async () => undefined,
        async transferFee({ token }) {
          if (token) throw accountFailure('send/would-fail', { reason: 'decimals' })
          return fee
        },
      },
    ],
    [
      'the check of the token, while the fee is still being estimated',
      { tokenDecimals: async () => 18, transferFee: () => new Promise(() => undefined) },
    ],
  ])('a token is not sent if its decimals are wrong according to %s', async (_, adapter) => {
    const { send, state, sent, settle } = await ready({ adapter })
    send.setToken(coin.id)
    send.setAmount('1')
    await settle()
    expect(send.startReview()).toBe(true)
    expect(state().warnings.value?.[0]).toEqual({ kind: 'decimals', isSerious: false })
    send.confirmWarnings(true)
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({
      code: 'send/would-fail',
      details: { reason: 'decimals' },
    })
    expect(sent).toEqual([])
    // The network's currency has no contract.
    send.setToken('native')
    send.setAmount('0.5')
    await settle()
    expect(send.startReview()).toBe(true)
    await send.submit({ label: 'a' })
    expect(sent).toHaveLength(1)
  })

  describe('of a token on Solana', () => {
    const chain = 'solana:local' as const
    const address = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
    const mint = { ...coin, id: `${chain}:${friend}`, chain }
    const reviewed = async (transferFee: NonNullable<Adapter['transferFee']>, adapter: Partial<Adapter> = {}) => {
      const form = start({
        network: fakeNetwork(chain),
        account: `${chain}:${address}`,
        tokens: [{ ...ether, chain }, mint],
        adapter: { namespace: 'solana', transferFee, ...adapter },
      })
      form.send.setToken(mint.id)
      form.send.setAmount('1')
      form.send.setRecipient('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM')
      await form.settle()
      expect(form.send.startReview()).toBe(true)
      return form
    }
    const feeWith = (withheld?: bigint) => ({
      amount: 5_000n,
      maxAmount: 5_000n,
      ...(withheld !== undefined && { withheld }),
    })
    const unconfirmed = { code: 'input/invalid' }

    test('waits until the amount that the token withholds is known and confirmed by the user', async () => {
      let answer: (fee: TransferFee) => void = () => undefined
      const response = new Promise<TransferFee>((resolve) => (answer = resolve))
      const { send, state, sent, settle } = await reviewed(() => response)
      expect(state().warnings.status).toBe('loading')
      await expect(send.submit({ label: 'a' })).rejects.toMatchObject(unconfirmed)
      answer(feeWith(250_000n))
      await settle()
      const withheld = { kind: 'withheld', withheld: 250_000n, received: 750_000n, isSerious: true }
      expect(state().warnings).toMatchObject({ status: 'ready', value: expect.arrayContaining([withheld]) })
      await expect(send.submit({ label: 'a' })).rejects.toMatchObject(unconfirmed)
      expect(sent).toEqual([])
      send.confirmWarnings(true)
      await send.submit({ label: 'a' })
      expect(sent).toMatchObject([{ amount: 1_000_000n, maxWithheld: 250_000n }])
    })

    test.each<[string, NonNullable<Adapter['transferFee']>]>([
      ['the node does not respond correctly', () => Promise.reject(new LatchkeyError('http/malformed', { url: 'a' }))],
      ['the mint has an unknown form', async () => feeWith()],
    ])('must be confirmed if the withheld amount is unknown because %s', async (_, transferFee) => {
      const { send, state, sent } = await reviewed(transferFee)
      expect(state().warnings.value).toContainEqual({ kind: 'unchecked', what: 'withheld', isSerious: true })
      await expect(send.submit({ label: 'a' })).rejects.toMatchObject(unconfirmed)
      expect(sent).toEqual([])
      send.confirmWarnings(true)
      await send.submit({ label: 'a' })
      expect(sent).toHaveLength(1)
    })

    test('must be confirmed again if the token withholds more than the user has confirmed', async () => {
      let withheld = 10n
      const { send, state, sent, clock } = await reviewed(async () => feeWith(withheld))
      send.confirmWarnings(true)
      withheld = 900_000n
      await clock.pass(15_000)
      expect(state().warnings.value).toContainEqual(expect.objectContaining({ kind: 'withheld', received: 100_000n }))
      expect(state().warningsConfirmed).toBe(false)
      await expect(send.submit({ label: 'a' })).rejects.toMatchObject(unconfirmed)
      expect(sent).toEqual([])
    })

    test('needs no confirmation if the token withholds nothing, even while the fee is estimated again', async () => {
      let isFirst = true
      const { send, state, sent, clock } = await reviewed(async () => {
        if (!isFirst) return new Promise(() => undefined)
        isFirst = false
        return feeWith(0n)
      })
      await clock.pass(15_000)
      expect(state().warnings.status).toBe('ready')
      await send.submit({ label: 'a' })
      expect(sent).toMatchObject([{ maxWithheld: 0n }])
    })

    test('must be confirmed again if another check fails after the confirmation', async () => {
      let fails = false
      const transferFee = async () => {
        if (fails) throw new LatchkeyError('http/malformed', { url: 'a' })
        return feeWith(0n)
      }
      const { send, state, sent, clock } = await reviewed(transferFee, { tokenSymbol: async () => undefined })
      expect(state().warnings.value).toContainEqual({ kind: 'unchecked', what: 'symbol', isSerious: true })
      send.confirmWarnings(true)
      fails = true
      await clock.pass(15_000)
      expect(state().warningsConfirmed).toBe(false)
      await expect(send.submit({ label: 'a' })).rejects.toMatchObject(unconfirmed)
      expect(sent).toEqual([])
    })
  })

  test('a token is not sent before its decimals have been checked, and only after a confirmation if they cannot be', async () => {
    let answer = (_: number | undefined): void => undefined
    const tokenDecimals = () => new Promise<number | undefined>((resolve) => (answer = resolve))
    const { send, state, sent, settle } = await ready({ adapter: { tokenDecimals } })
    send.setToken(coin.id)
    send.setAmount('1')
    await settle()
    send.startReview()
    expect(state().warnings.status).toBe('loading')
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'input/invalid' })
    answer(undefined)
    await settle()
    expect(state().warnings.value).toContainEqual({ kind: 'unchecked', what: 'decimals', isSerious: true })
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'input/invalid' })
    expect(sent).toEqual([])
    send.confirmWarnings(true)
    await send.submit({ label: 'a' })
    expect(sent).toMatchObject([{ token: coin.id, amount: 1_000_000n, decimals: 6 }])
  })

  test('changing the form ends the review, so that the warnings always belong to the reviewed transfer', async () => {
    const { send, state, sent } = await ready()
    send.startReview()
    send.setRecipient(other)
    expect(state().review).toBeUndefined()
    await expect(send.submit({ label: 'a' })).rejects.toMatchObject({ code: 'send/incomplete' })
    expect(sent).toEqual([])
  })

  test('without a token, an amount or a recipient, or on a chain family that cannot send, nothing is sent [R5.14]', async () => {
    const { send, sent, change } = start()
    await expect(send.submit({ label: '' })).rejects.toThrow('An amount and receiver address are required')
    send.setAmount('1')
    await expect(send.submit({ label: '' })).rejects.toThrow('An amount and receiver address are required')
    send.setToken('')
    await expect(send.submit({ label: '' })).rejects.toThrow('A token is required')
    for (const chain of ['bip122:1', 'polkadot:1', 'cosmos:1'] as const) {
      change(`${chain}:someone`, fakeNetwork(chain))
      await expect(send.submit({ label: '' })).rejects.toThrow('Unsupported chain')
    }
    expect(sent).toEqual([])
  })
})

describe('a reload', () => {
  test('restores the input', async () => {
    const first = await ready()
    first.send.setUnit('fiat')
    first.send.stop()
    const second = start({ tab: first.tab })
    await second.settle()
    expect(second.state()).toMatchObject({
      unit: 'fiat',
      amountText: '1500',
      amount: 5n * 10n ** 17n,
      recipient: { status: 'ready', address: friend },
      step: 'review',
    })
  })

  test('while the wallet prompts the user makes the outcome unknown, until the user has checked it', async () => {
    const first = await ready({ send: () => new Promise(() => undefined) })
    first.send.startReview()
    void first.send.submit({ label: 'a' })
    first.send.stop()
    const second = start({ tab: first.tab })
    second.send.open()
    expect(second.state().transfer).toMatchObject({
      status: 'unknown',
      review: { to: friend, amount: 5n * 10n ** 17n },
    })
    await second.settle()
    expect(second.state().warnings.value?.[0]).toMatchObject({ kind: 'repeat' })
    second.send.dismiss()
    expect(second.state().transfer).toEqual({ status: 'idle' })
    expect(start({ tab: first.tab }).state().transfer).toEqual({ status: 'idle' })
  })

  test('after the wallet has sent it keeps the recipient only if the network confirms the transfer', async () => {
    const first = await ready()
    first.send.startReview()
    await first.send.submit({ label: 'a' })
    expect(first.state().recent).toEqual([])
    first.send.stop()
    for (const [status, count] of [
      ['pending', 0],
      ['failed', 0],
      ['done', 1],
    ] as const) {
      const local = memoryStorage(first.local.all())
      const second = start({ tab: memoryStorage(first.tab.all()), local })
      second.transactions.set([{ hash, label: 'a', chain: 'eip155:1', account: `eip155:1:${own}`, addedAt: 0, status }])
      expect(second.state().recent).toHaveLength(count)
      second.change(`eip155:1:${other}`)
      expect(second.state().recent).toEqual([])
      second.change(`eip155:1:${own}`)
      second.send.clearRecent()
      expect(start({ local }).state().recent).toEqual([])
    }
  })
})

test('the host’s values are filled in once, so that the user’s changes are kept when the form is shown again', async () => {
  const { send, state, events } = start()
  const values = { token: coin.id, amount: '1', to: friend }
  send.open(values)
  expect(state()).toMatchObject({ token: coin, amountText: '1', recipient: { text: friend } })
  send.setAmount('2')
  send.open(values)
  expect(state().amountText).toBe('2')
  expect(events.filter(({ event }) => event === 'OPEN_SEND')).toHaveLength(1)
})
