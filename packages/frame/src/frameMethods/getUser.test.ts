import { fakeClock } from '@latchkey/core/testing'
import type { FrameUser, Siwx } from '@latchkey/protocol/frame/messages'
import { accountPlaceholder } from '@latchkey/protocol/specificationConstants'
import { writeMessage } from '@latchkey/siwx/message'
import { createVaultFixture, seededEnvironment } from '@latchkey/vault/testing'
import { hashMessage, recoverAddress, recoverMessageAddress } from 'viem'
import { expect, test } from 'vitest'
import { createAccountSession } from '../accountSession.ts'
import { createApprovalQueue } from '../approvals/approvalQueue.ts'
import type { ApprovalView } from '../approvals/approvalViewModel.ts'
import type { FrameContext } from '../frameContext.ts'
import { type KeysApiClient, KeysServerError } from '../keysApiClient.ts'
import { createPageSettings } from '../pageSettings.ts'
import { safeMessageHash } from '../smartAccount/safe.ts'
import { connectSocial } from './connectSocial.ts'
import { getUser } from './getUser.ts'

const site = 'https://shop.example'
const { vault: opened } = await createVaultFixture(seededEnvironment(23, fakeClock()))
const key = opened.record.addresses.eip155
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

/** Creates a sign-in request. `fields` are applied before the message is serialized, and `travels` afterwards. */
function wanted(fields: Partial<Siwx> = {}, travels: Partial<Siwx> = {}): Siwx {
  const all = {
    domain: 'shop.example',
    uri: `${site}/login`,
    version: '1',
    chainId: 'eip155:1',
    nonce: 'abcdefgh12345678',
    statement: 'Good morning.',
    issuedAt: '2026-11-20T17:00:00.000Z',
    expirationTime: '2026-11-27T17:00:00.000Z',
    resources: [`${site}/terms`],
    ...fields,
    accountAddress: key,
  }
  const text = writeMessage(all as never).replace(key, accountPlaceholder)
  return { ...all, accountAddress: accountPlaceholder, serializedMessage: text, ...travels }
}

/** Creates a frame context with one unlocked wallet and scripted user decisions. */
function frame({
  bundlers = [] as readonly string[],
  email = 'ada@shop.example' as string | null,
  code = async () => '0x6001',
  userName = null as string | null,
  opening = async () => {},
} = {}) {
  const approvals = createApprovalQueue<ApprovalView>()
  const shown: ApprovalView[] = []
  let decides: 'yes' | 'no' | 'nothing' = 'yes'
  approvals.subscribe(() => {
    const now = approvals.current()
    if (now?.state !== 'asking' || shown.includes(now.subject)) return
    shown.push(now.subject)
    // The screen for a rejected sign-in message has only one button, which cancels the request.
    const refused = now.subject.kind === 'message' && now.subject.reading.kind === 'refused'
    if (decides === 'yes' && !refused) approvals.approve(now.key)
    else if (decides !== 'nothing') approvals.cancel(now.key)
  })
  const account = { user: { id: '1', email, userName: null, createdAt: 0 }, userName }
  let current: typeof account | undefined = account
  const keysClient = (async () => {
    if (!current) throw new KeysServerError({ code: 'session/none', message: 'No user is signed in.' })
    return current
  }) as unknown as KeysApiClient
  const context = {
    approvals,
    settings: createPageSettings(new URL('https://keys.example/sdk?chainId=eip155:1')),
    signIns: new Map(),
    config: async () => ({ bundlers }),
    rpc: code,
    keysClient,
    session: createAccountSession({ keysClient, onSignedOut() {} }),
    shared: (_: string, task: () => unknown) => task(),
    popups: { isSent: () => false },
    wallet: async () => ({
      open: async () => {
        await opening()
        return { vault: opened, addresses: opened.record.addresses, single: false }
      },
    }),
  } as unknown as FrameContext
  return {
    shown,
    approvals,
    decide(next: typeof decides) {
      decides = next
    },
    /** Ends the session as another page would. If `nextUser` is given, that user is then signed in. */
    endSession(nextUser?: string) {
      current = nextUser === undefined ? undefined : { ...account, user: { ...account.user, id: nextUser } }
    },
    ask: (
      siwxMessage: Siwx,
      { byPort = true, origin = site, chainId = 'eip155:1', preferredAccountType = 'eoa', id = '1' } = {},
    ): Promise<FrameUser> =>
      getUser(
        context,
        { chainId, preferredAccountType, siwxMessage },
        { id, origin, byPort, signal: new AbortController().signal },
      ),
    connectSocial: () =>
      connectSocial(
        context,
        { uri: 'https://keys.example/done?ticket=1', chainId: 'eip155:1', preferredAccountType: 'eoa' },
        { id: '1', origin: site, byPort: false, signal: new AbortController().signal },
      ),
    /** Calls GET_USER without parameters. */
    askPlainly: () =>
      getUser(context, undefined, { id: '1', origin: site, byPort: false, signal: new AbortController().signal }),
  }
}

test('the displayed message is signed during login after a single approval', async () => {
  const { ask, shown } = frame()
  const user = await ask(wanted())
  const text = wanted().serializedMessage?.replace(accountPlaceholder, key)
  expect(user).toMatchObject({
    address: key,
    message: text,
    siwxMessage: { domain: 'shop.example', accountAddress: key, serializedMessage: text },
  })
  expect(await recoverMessageAddress({ message: text ?? '', signature: user.signature as `0x${string}` })).toBe(key)
  expect(shown).toMatchObject([
    { setting: { origin: site, account: key }, reading: { kind: 'signIn', text: { untrusted: text } } },
  ])
})

test('a smart account signs the sign-in message as a Safe message', async () => {
  const { ask, shown } = frame({ bundlers: ['eip155:1'] })
  const user = await ask(wanted(), { preferredAccountType: 'smartAccount' })
  expect(user.address).not.toBe(key)
  expect(user.message).toContain(`\n${user.address}\n`)
  expect(shown).toMatchObject([{ setting: { account: user.address, isContract: true } }])
  const safe = user.address as `0x${string}`
  const hash = safeMessageHash({ hash: hashMessage(user.message ?? ''), safe, chainId: 1 })
  expect(await recoverAddress({ hash, signature: user.signature as `0x${string}` })).toBe(key)
})

test('prompts for a message only once, whether the user approves or rejects it', async () => {
  const { ask, shown, decide, approvals } = frame()
  decide('nothing')
  const both = [ask(wanted(), { id: '1' }), ask(wanted(), { id: '2' })]
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  expect(approvals.current()?.behind).toBe(0)
  approvals.approve(approvals.current()?.key ?? 0)
  const [item, two] = await Promise.all(both)
  expect(item?.signature).toBeTruthy()
  expect(two).toEqual(item)
  expect(await ask(wanted())).toEqual(item)
  decide('no')
  const other = wanted({ nonce: 'another12345678' })
  expect((await ask(other)).signature).toBeUndefined()
  expect((await ask(other)).signature).toBeUndefined()
  expect(shown).toHaveLength(2)
})

test('the user is logged in without a signature if the sign-in message is rejected or aborted', async () => {
  const { ask, decide, approvals, shown } = frame()
  decide('no')
  const declined = await ask(wanted())
  expect([declined.address, declined.signature, declined.message]).toEqual([key, undefined, undefined])
  decide('nothing')
  const asking = ask(wanted({ nonce: 'another12345678' }), { id: '7' })
  await new Promise((resolve) => setImmediate(resolve))
  expect(shown).toHaveLength(2)
  approvals.abort('7')
  expect(await asking).toEqual(declined)
})

test.each<[string, Siwx]>([
  ['domain', wanted({ domain: 'bank.example' })],
  ['URI', wanted({ uri: 'https://bank.example/login' })],
  ['domain in the text only', wanted({ domain: 'bank.example' }, { domain: 'shop.example' })],
  ['scheme', wanted({}, { serializedMessage: `http://${wanted().serializedMessage}` })],
  ['port', wanted({ domain: 'shop.example:8443', uri: 'https://shop.example:8443/login' })],
])(
  'a sign-in message with a different %s is shown as a message for a different site and is not signed, but the login succeeds',
  async (_, siwx) => {
    const { ask, shown } = frame()
    const user = await ask(siwx)
    expect(shown).toMatchObject([{ reading: { kind: 'refused', because: 'other-site' } }])
    expect([user.address, user.signature, user.message]).toEqual([key, undefined, undefined])
  },
)

const text = wanted().serializedMessage ?? ''
const params = (from: string, to: string) => wanted({}, { serializedMessage: text.replace(from, to) })
const line = 'Expiration Time: 2026-11-27T17:00:00.000Z'

test.each<[string, Siwx]>([
  ['whose text has more lines than its fields', params(line, `${line}\nNot Before: 2026-11-20T17:00:00.000Z`)],
  ['whose text has fewer lines than its fields', params(`\n${line}`, '')],
  ['with a different nonce in the text', params('abcdefgh', 'hgfedcba')],
  ['with a different network in the text', params('Chain ID: 1', 'Chain ID: 10')],
  ['for a different network', wanted({ chainId: 'eip155:10' })],
  ['with a line injected into the fields', wanted({}, { statement: 'Hi.\nURI: https://shop.example' })],
  [
    'with a line injected into the fields and the text',
    params('Good morning.', 'Hi.\n\nURI: https://shop.example/login'),
  ],
  ['with text after the message', wanted({}, { serializedMessage: `${text}\nAnd all your tokens.` })],
  ['with a different resource in the text', params(`${site}/terms`, `${site}/all`)],
  [
    'that already contains the account address',
    wanted({}, { accountAddress: key, serializedMessage: text.replace(accountPlaceholder, key) }),
  ],
  [
    'without the account placeholder',
    wanted({}, { serializedMessage: text.replace(accountPlaceholder, `0x${'1'.repeat(40)}`) }),
  ],
  ['without text', wanted({}, { serializedMessage: undefined })],
  ['with arbitrary text', wanted({}, { serializedMessage: `I, ${accountPlaceholder}, owe you 100.` })],
])('a sign-in message %s is neither shown nor signed, but the login succeeds', async (_, siwx) => {
  const { ask, shown } = frame()
  const user = await ask(siwx)
  expect(shown).toEqual([])
  expect([user.address, user.signature, user.message]).toEqual([key, undefined, undefined])
})

test.each([
  ['aborts the request', '1'],
  ['signs the user out', undefined],
])('does not prompt for a sign-in message if the page %s while the wallet is being opened', async (_, id) => {
  let finish = () => {}
  let reached = () => {}
  const isOpening = new Promise<void>((resolve) => {
    reached = resolve
  })
  const opening = () =>
    new Promise<void>((resolve) => {
      finish = resolve
      reached()
    })
  const { ask, approvals, shown } = frame({ opening })
  const response = ask(wanted())
  await isOpening
  approvals.abort(id)
  finish()
  expect(await response).not.toHaveProperty('signature')
  expect(shown).toEqual([])
})

test.each([
  ['has ended', undefined],
  ['belongs to a different user', '2'],
])('does not sign an approved sign-in message if the session %s by the time of the approval', async (_, nextUser) => {
  const { ask, approvals, decide, endSession } = frame()
  decide('nothing')
  const isShown = new Promise<number>((resolve) =>
    approvals.subscribe(() => {
      const now = approvals.current()
      if (now) resolve(now.key)
    }),
  )
  const response = ask(wanted())
  const key = await isShown
  endSession(nextUser)
  approvals.approve(key)
  expect(await response).not.toHaveProperty('signature')
})

test('does not prompt for a sign-in message if the page does not display the frame or uses a Solana account', async () => {
  const { ask, shown } = frame()
  expect((await ask(wanted(), { byPort: false })).signature).toBeUndefined()
  expect((await ask(wanted(), { chainId: solana })).signature).toBeUndefined()
  expect(shown).toEqual([])
})

test('checks the sign-in message against the origin that the browser reports', async () => {
  const { ask, shown } = frame()
  const user = await ask(wanted(), { origin: 'https://thief.example' })
  expect(user.signature).toBeUndefined()
  expect(shown).toMatchObject([
    {
      setting: { origin: 'https://thief.example' },
      reading: { kind: 'refused', claimed: { untrusted: 'shop.example' } },
    },
  ])
})

test('returns the user with the active account, and a numeric chain ID on EVM networks or a CAIP-2 ID on others [R3.1]', async () => {
  const expected = { email: 'ada@shop.example', protection: 'protected' }
  const plain = await frame().ask(wanted(), { byPort: false })
  expect(plain).toEqual({
    ...expected,
    address: key,
    chainId: 1,
    accounts: [{ address: key, type: 'eoa' }],
    preferredAccountType: 'eoa',
    smartAccountDeployed: false,
  })
  const smart = frame({ bundlers: ['eip155:1'] })
  const user = await smart.ask(wanted(), { byPort: false, preferredAccountType: 'smartAccount' })
  expect(user).toEqual({
    ...expected,
    address: expect.not.stringContaining(key),
    chainId: 1,
    accounts: [
      { address: user.address, type: 'smartAccount' },
      { address: key, type: 'eoa' },
    ],
    preferredAccountType: 'smartAccount',
    smartAccountDeployed: true,
  })
  const address = opened.record.addresses.solana
  const elsewhere = await frame().ask(wanted(), { byPort: false, chainId: solana })
  const { email } = await frame({ email: null }).ask(wanted(), { byPort: false })
  expect(email).toBeNull()
  expect(elsewhere).toMatchObject({ ...expected, address, chainId: solana, accounts: [{ address, type: 'eoa' }] })
})

test.each([
  ['has code', true, async () => '0x6001'],
  ['has no code', false, async () => '0x'],
  ['cannot be read', false, () => Promise.reject(new Error('The node is down.'))],
])('a smart account whose address %s is reported with smartAccountDeployed %s [R3.1]', async (_, isDeployed, code) => {
  const user = await frame({ bundlers: ['eip155:1'], code }).ask(wanted(), { byPort: false })
  expect(user).toMatchObject({ address: key, preferredAccountType: 'eoa', smartAccountDeployed: isDeployed })
})

test('the account type is eoa on a network without smart accounts, even if the page prefers a smart account [R3.1]', async () => {
  const user = await frame().ask(wanted(), { byPort: false, preferredAccountType: 'smartAccount' })
  expect(user).toMatchObject({ address: key, preferredAccountType: 'eoa', smartAccountDeployed: false })
})

test('returns the user with the EOA on the page’s network if there are no parameters [R3.1]', async () => {
  expect(await frame({ bundlers: ['eip155:1'] }).askPlainly()).toMatchObject({
    address: key,
    chainId: 1,
    preferredAccountType: 'eoa',
  })
})

test.each(['ada', null])(
  'a social login also returns the user’s name as reported by the provider: %s [R3.1]',
  async (userName) => {
    const page = frame({ userName })
    const user = await page.ask(wanted(), { byPort: false })
    expect(user).not.toHaveProperty('userName')
    expect(await page.connectSocial()).toEqual({ ...user, userName })
  },
)
