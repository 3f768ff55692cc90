import { expect, test } from 'vitest'
import { type SeededRandom, seededRandom } from '../testing/seededRandom.ts'
import {
  answerTo,
  appTypes,
  chainFromWire,
  chainToWire,
  frameTypes,
  questionOf,
  readAppMessage,
  readFrameMessage,
  refusalTo,
} from './messages.ts'
import { commitments, withHexIntegers } from './rpcSchemas.ts'

const app = (name: string, payload?: unknown) => readAppMessage({ type: `@w3m-app/${name}`, id: '1', payload })
const frame = (name: string, payload?: unknown) => readFrameMessage({ type: `@w3m-frame/${name}`, id: '1', payload })

test('a message must have the prefix at the start of its type [R5.1]', () => {
  for (const type of [
    'SIGN_OUT',
    'x@w3m-app/SIGN_OUT',
    '@W3M-APP/SIGN_OUT',
    ' @w3m-app/SIGN_OUT',
    '@w3m-frame/SIGN_OUT',
    '@w3m-any/SIGN_OUT',
    '@w3m-app:SIGN_OUT',
    '@w3m/SIGN_OUT',
  ]) {
    expect(readAppMessage({ type })).toEqual({ kind: 'foreign' })
  }
  for (const type of ['READY', 'x@w3m-frame/READY', '@w3m-app/READY', '@w3m-fraud/READY', '@w3m-frame:READY']) {
    expect(readFrameMessage({ type, payload: {} })).toEqual({ kind: 'foreign' })
  }
  expect(readAppMessage({ type: '@w3m-app/SIGN_OUT' }).kind).toBe('question')
  expect(readFrameMessage({ type: '@w3m-frame/READY', payload: {} }).kind).toBe('ready')
})

test('every sent message has its sender’s prefix [R5.1]', () => {
  const from = { name: 'IS_CONNECTED', id: 'a' } as const
  expect(questionOf('IS_CONNECTED', 'a', undefined).type).toBe('@w3m-app/IS_CONNECTED')
  expect(answerTo(from, { isConnected: true }).type).toBe('@w3m-frame/IS_CONNECTED_SUCCESS')
  expect(refusalTo(from, 'No').type).toBe('@w3m-frame/IS_CONNECTED_ERROR')
  expect(appTypes.filter((type) => !/^@w3m-app\/[A-Z_]+$/.test(type))).toEqual([])
  expect(frameTypes.filter((type) => !/^@w3m-frame\/[A-Z_]+$/.test(type))).toEqual([])
})

test('a message is ignored if it has no type or its ID is not a short string [R5.1]', () => {
  for (const data of [undefined, null, '@w3m-app/SIGN_OUT', 7, [], {}, { type: 7 }, { type: ['@w3m-app/SIGN_OUT'] }])
    expect(readAppMessage(data)).toEqual({ kind: 'foreign' })
  for (const id of [7, null, {}, 'x'.repeat(129)]) {
    expect(readAppMessage({ type: '@w3m-app/SIGN_OUT', id })).toEqual({ kind: 'foreign' })
    expect(readFrameMessage({ type: '@w3m-frame/READY', id, payload: {} })).toEqual({ kind: 'foreign' })
  }
  expect(readAppMessage({ type: '@w3m-app/SIGN_OUT', id: 'x'.repeat(128) }).kind).toBe('question')
})

test('unknown types are ignored, including names of built-in object properties [R5.1]', () => {
  for (const name of [
    'NOTHING',
    'constructor',
    '__proto__',
    'toString',
    'sign_out',
    'SIGN_OUT_SUCCESS',
    '',
    'AWAIT_UPDATE_EMAIL',
  ]) {
    expect(app(name)).toEqual({ kind: 'foreign' })
  }
  for (const name of ['NOTHING_SUCCESS', 'constructor_ERROR', 'SIGN_OUT', 'AWAIT_UPDATE_EMAIL_SUCCESS', '_SUCCESS']) {
    expect(frame(name, { message: 'x' })).toEqual({ kind: 'foreign' })
  }
})

test.each(['ada@example.org', 'a.b+c@sub.example.co', 'ada@bücher.example', "o'neil@example.org"])(
  '%s is accepted as an email address [R5.2]',
  (email) => {
    expect(app('CONNECT_EMAIL', { email })).toMatchObject({ kind: 'question', question: { payload: { email } } })
    expect(app('UPDATE_EMAIL', { email }).kind).toBe('question')
    expect(frame('UPDATE_EMAIL_SECONDARY_OTP_SUCCESS', { newEmail: email }).kind).toBe('answer')
  },
)

test.each([
  '',
  'ada',
  'ada@',
  '@example.org',
  'a b@example.org',
  '<b>@example.org',
  'ada,bob@example.org',
  "a'--@x",
  `${'a'.repeat(400)}@example.org`,
])('"%s" is rejected with the error message that pages match on [R5.2]', (email) => {
  for (const name of ['CONNECT_EMAIL', 'UPDATE_EMAIL', 'CONNECT_WINDOW'])
    expect(app(name, { email })).toMatchObject({ kind: 'malformed', name, complaint: 'Invalid email' })
  expect(frame('UPDATE_EMAIL_SECONDARY_OTP_SUCCESS', { newEmail: email }).kind).toBe('malformed')
})

test('providers and actions must be known values [R5.2]', () => {
  for (const provider of ['google', 'github', 'apple', 'facebook', 'x', 'discord'])
    expect(app('GET_SOCIAL_REDIRECT_URI', { provider }).kind).toBe('question')
  for (const provider of ['farcaster', 'Google', 'twitter', 'google ', '', 'constructor', 1, null, undefined]) {
    expect(app('GET_SOCIAL_REDIRECT_URI', { provider }).kind).toBe('malformed')
  }
  // A login through a window can specify or omit a provider. The response includes the provider.
  expect([app('CONNECT_WINDOW', undefined).kind, app('CONNECT_WINDOW', {}).kind]).toEqual(['question', 'question'])
  for (const provider of ['google', 'github', 'apple', 'facebook', 'x', 'discord', 'farcaster']) {
    expect(app('CONNECT_WINDOW', { provider }).kind).toBe('question')
    expect(frame('CONNECT_WINDOW_SUCCESS', { provider, userName: null }).kind).toBe('answer')
  }
  for (const provider of ['Google', 'twitter', 'google ', '', 'constructor', 1, null, {}, ['google']]) {
    expect(app('CONNECT_WINDOW', { provider }).kind).toBe('malformed')
    expect(frame('CONNECT_WINDOW_SUCCESS', { provider, userName: null }).kind).toBe('malformed')
  }
  for (const name of ['CONNECT_EMAIL_SUCCESS', 'UPDATE_EMAIL_SUCCESS'])
    for (const action of ['connect', 'VERIFY', '', 1, undefined]) expect(frame(name, { action }).kind).toBe('malformed')
  for (const action of ['VERIFY_DEVICE', 'VERIFY_OTP', 'CONNECT']) {
    expect(frame('CONNECT_EMAIL_SUCCESS', { action }).kind).toBe('answer')
    expect(frame('UPDATE_EMAIL_SUCCESS', { action }).kind).toBe('malformed')
  }
  for (const action of ['VERIFY_PRIMARY_OTP', 'VERIFY_SECONDARY_OTP']) {
    expect(frame('UPDATE_EMAIL_SUCCESS', { action }).kind).toBe('answer')
    expect(frame('CONNECT_EMAIL_SUCCESS', { action }).kind).toBe('malformed')
  }
})

test('a code has six digits, and spaces in it are ignored [R1.2]', () => {
  expect(app('CONNECT_OTP', { otp: '123 456' })).toMatchObject({ question: { payload: { otp: '123456' } } })
  for (const otp of ['12345', '1234567', 'abcdef', '١٢٣٤٥٦', 123_456])
    expect(app('CONNECT_OTP', { otp }).kind).toBe('malformed')
})

test('a call’s `to` and `data` must start with 0x, and unknown fields are preserved [R5.3]', () => {
  const rpc = (calls: unknown) =>
    app('RPC_REQUEST', { method: 'wallet_sendCalls', params: [{ version: '2.0.0', atomicRequired: true, calls }] })
  expect(rpc([{ to: '0xab', data: '0x', value: '0x1' }])).toMatchObject({
    question: { payload: { params: [{ atomicRequired: true, calls: [{ to: '0xab' }] }] } },
  })
  for (const call of [{ to: 'ab' }, { to: '0Xab' }, { to: '0' }, { to: '0xab', data: 'ab' }, { data: '0xab' }, {}])
    for (const calls of [[call], [{ to: '0xab' }, call]]) expect(rpc(calls).kind).toBe('malformed')
})

test('a call requires a recipient, `data` is optional, and both must be strings [R5.3]', () => {
  const rpc = (call: unknown) => app('RPC_REQUEST', { method: 'wallet_sendCalls', params: [{ calls: [call] }] }).kind
  expect([rpc({ to: '0x' }), rpc({ to: '0xab', data: '0x12' })]).toEqual(['question', 'question'])
  for (const call of [{ to: 7 }, { to: null }, { to: '0xab', data: 7 }, { to: '0xab', data: null }, '0xab', null])
    expect(rpc(call)).toBe('malformed')
})

test.each(['auto', 'LIGHT', 'system', '', null, true])('the theme mode cannot be %o [R5.3]', (themeMode) => {
  expect(app('SYNC_THEME', { themeMode }).kind).toBe('malformed')
})

test.each(['light', 'dark'])('the theme mode can be light or dark: %s [R5.3]', (themeMode) => {
  expect(app('SYNC_THEME', { themeMode }).kind).toBe('question')
  expect(app('SYNC_THEME', { themeMode: `${themeMode}er` }).kind).toBe('malformed')
  expect(app('SYNC_THEME', {}).kind).toBe('question')
})

test('a commitment must be a known value [R5.3]', () => {
  const rpc = (preflightCommitment: string) =>
    app('RPC_REQUEST', {
      method: 'solana_signAndSendTransaction',
      params: { transaction: '2', options: { preflightCommitment } },
    })
  const known = ['processed', 'confirmed', 'finalized', 'recent', 'single', 'singleGossip', 'root', 'max']
  expect(commitments).toEqual(known)
  for (const commitment of known) expect(rpc(commitment).kind).toBe('question')
  for (const unknown of ['sure', 'Confirmed', 'singlegossip', '']) expect(rpc(unknown).kind).toBe('malformed')
  expect(
    app('RPC_REQUEST', { method: 'solana_signAndSendTransaction', params: { transaction: '2', options: {} } }).kind,
  ).toBe('question')
})

// --- Theme and page data

test('a theme consists of an optional mode and two optional sets of variables [R3.16]', () => {
  const theme = {
    themeMode: 'dark',
    themeVariables: { accent: '#0a7', radius: 4 },
    w3mThemeVariables: { '--w3m-accent': '#0a7' },
  }
  expect(app('SYNC_THEME', { ...theme, more: 1 })).toMatchObject({ question: { payload: theme } })
  for (const name of Object.keys(theme))
    expect(app('SYNC_THEME', { ...theme, [name]: undefined }).kind).toBe('question')
  expect(app('SYNC_THEME', { themeVariables: { accent: [] } }).kind).toBe('malformed')
  expect(app('SYNC_THEME', { w3mThemeVariables: { '--w3m-accent': 4 } }).kind).toBe('malformed')
  expect(app('SYNC_THEME', undefined).kind).toBe('malformed')
})

test('SYNC_DAPP_DATA requires a project ID, and metadata must be complete if present [R3.16]', () => {
  const metadata = {
    name: 'Shop',
    description: 'A shop',
    url: 'https://shop.example',
    icons: ['https://shop.example/i'],
  }
  const dapp = { metadata, sdkVersion: 'react-1.0.0', sdkType: 'latchkey', projectId: 'p' }
  const read = app('SYNC_DAPP_DATA', { ...dapp, more: 1 })
  expect(read).toEqual({ kind: 'question', question: { name: 'SYNC_DAPP_DATA', id: '1', payload: dapp } })
  expect(app('SYNC_DAPP_DATA', { projectId: '' }).kind).toBe('question')
  for (const bad of [{ projectId: undefined }, { projectId: 1 }, { sdkVersion: 1 }, { sdkType: 1 }])
    expect(app('SYNC_DAPP_DATA', { ...dapp, ...bad }).kind).toBe('malformed')
  for (const name of Object.keys(metadata))
    for (const value of [undefined, 7])
      expect(app('SYNC_DAPP_DATA', { ...dapp, metadata: { ...metadata, [name]: value } }).kind).toBe('malformed')
})

test('a popup URL or link cannot be a javascript: or data: URL', () => {
  expect(frame('GET_SOCIAL_REDIRECT_URI_SUCCESS', { uri: 'javascript:alert(1)' }).kind).toBe('malformed')
  expect(frame('GET_FARCASTER_URI_SUCCESS', { url: 'data:text/html,x' }).kind).toBe('malformed')
  expect(app('CONNECT_SOCIAL', { uri: ' javascript:alert(1)' }).kind).toBe('malformed')
})

test('an error without a message and a READY without a payload are reported as malformed [R7.1]', () => {
  expect(frame('SIGN_OUT_ERROR')).toMatchObject({ kind: 'malformed', name: 'SIGN_OUT', id: '1' })
  expect(frame('SIGN_OUT_ERROR', { message: 1 }).kind).toBe('malformed')
  expect(frame('READY').kind).toBe('malformed')
  expect(frame('READY', { capabilities: 'all' })).toEqual({ kind: 'ready', payload: {} })
})

test('the page can parse the frame’s responses, and the frame can parse the page’s requests [R7.1]', () => {
  const requests = { name: 'GET_CHAIN_ID', id: 'a' } as const
  expect(readFrameMessage(answerTo(requests, { chainId: 1 }))).toMatchObject({
    answer: { ok: true, payload: { chainId: 1 } },
  })
  expect(readFrameMessage(refusalTo(requests, ''))).toMatchObject({ answer: { ok: false, message: '', id: 'a' } })
  expect(readAppMessage(questionOf('CONNECT_OTP', 'b', { otp: '123456' }))).toMatchObject({ question: { id: 'b' } })
})

test('EVM chains are sent as numbers and all other chains as CAIP-2 IDs [R3.1]', () => {
  const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  expect(chainToWire('eip155:137')).toBe(137)
  expect(chainToWire(solana)).toBe(solana)
  expect([1, '1', 'eip155:1'].map((chain) => chainFromWire(chain))).toEqual(['eip155:1', 'eip155:1', 'eip155:1'])
  expect(chainFromWire('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')).toBe(solana)
  expect(chainFromWire('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana')).toBe(solana)
  expect(chainFromWire('moon:1')).toBeUndefined()
})

test('withHexIntegers converts bigints to hex and leaves everything else unchanged', () => {
  const date = new Date(0)
  const value = { a: [1n, { b: 255n }], c: 'x', d: null, e: date, f: new Uint8Array([1]) }
  expect(withHexIntegers(value)).toEqual({
    a: ['0x1', { b: '0xff' }],
    c: 'x',
    d: null,
    e: date,
    f: new Uint8Array([1]),
  })
})

// --- Arbitrary input -----------------------------------------------------------------------------------------------

const seed = Number(process.env.FUZZ_SEED ?? 20_251_121)

test(`readAppMessage() and readFrameMessage() return a result for any input and never throw (seed ${seed}) [R5.1]`, () => {
  const chance = seededRandom(seed)
  const types = [...appTypes, ...frameTypes, '@w3m-app/', '@w3m-frame/', 'x', '@w3m-app/__proto__']
  const kinds = new Set<string>()
  for (let round = 0; round < 5_000; round++) {
    const message =
      chance.int(20) === 0
        ? junk(chance, 3)
        : { type: chance.pick(types), id: junk(chance, 0), payload: junk(chance, 3) }
    const [ofPage, ofFrame] = [readAppMessage(message), readFrameMessage(message)]
    kinds.add(ofPage.kind).add(ofFrame.kind)
    // Parsing the payload of a parsed message again must not change it.
    if (ofPage.kind === 'question') {
      const { name, payload } = ofPage.question
      expect(app(name, payload)).toMatchObject({ kind: 'question', question: { payload } })
    }
  }
  expect([...kinds]).toEqual(expect.arrayContaining(['answer', 'foreign', 'malformed', 'port', 'question', 'ready']))
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

test('messages whose properties throw when they are read do not cause an error', () => {
  const trap = new Proxy({}, { get: () => expect.fail('read') })
  const deep = {
    type: '@w3m-app/CONNECT_EMAIL',
    payload: {
      get email(): string {
        return expect.fail('read')
      },
    },
  }
  expect(readAppMessage(trap).kind).toBe('foreign')
  expect(readAppMessage(deep).kind).toBe('malformed')
})

const keys = [
  'email',
  'token',
  'otp',
  'chainId',
  'provider',
  'method',
  'params',
  'message',
  'address',
  'accounts',
  'uri',
  'type',
  '__proto__',
  'constructor',
  'payload',
]

/** Returns a random value of a kind that occurs in messages. */
function junk(chance: SeededRandom, depth: number): unknown {
  const leaves: readonly (() => unknown)[] = [
    () => undefined,
    () => null,
    () => chance.int(2) === 0,
    () => chance.int(100_000) - 50,
    () => Number.NaN,
    () => BigInt(chance.int(1000)),
    () => chance.word(0, 30),
    () =>
      chance.pick([
        'ada@example.org',
        '123456',
        'eip155:1',
        'google',
        'personal_sign',
        '0x12',
        'CONNECT',
        'x'.repeat(20_000),
      ]),
    () => new Uint8Array(chance.int(5)),
  ]
  if (depth === 0 || chance.int(3) === 0) return chance.pick(leaves)()
  if (chance.int(3) === 0) return Array.from({ length: chance.int(4) }, () => junk(chance, depth - 1))
  const entries = Array.from({ length: chance.int(5) }, () => [chance.pick(keys), junk(chance, depth - 1)] as const)
  // In JSON and structured clones, `__proto__` is an ordinary key.
  const made: unknown = Object.create(null)
  for (const [key, value] of entries) Object.defineProperty(made, key, { value, enumerable: true, configurable: true })
  return made
}
