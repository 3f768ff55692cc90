import { expect, test } from 'vitest'
import { createChannel } from '../packages/protocol/src/frame/channel.ts'
import {
  answerTo,
  appTypes,
  errorType,
  frameTypes,
  type MethodName,
  type MethodParams,
  type MethodResult,
  questionNames,
  readAppMessage,
  readFrameMessage,
  refusalTo,
  successType,
} from '../packages/protocol/src/frame/messages.ts'
import { fakeClock } from '../packages/protocol/src/testing/fakeClock.ts'

// Sends each page request to a frame whose messages are spelled out here, so that the tests show the wire format.

interface Case<Name extends MethodName> {
  readonly says: MethodParams<Name>
  readonly answer: MethodResult<Name>
  /** Other valid responses. */
  readonly also?: readonly MethodResult<Name>[]
}

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const siwxMessage = {
  accountAddress: '<<AccountAddress>>',
  chainId: 'eip155:1',
  domain: 'demo.localhost',
  uri: 'http://demo.localhost',
  version: '1',
  nonce: '0123456789abcdef',
}
const user = {
  address,
  chainId: 1,
  email: 'ada@example.org',
  smartAccountDeployed: false,
  accounts: [
    { address, type: 'smartAccount' as const },
    { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', type: 'eoa' as const },
  ],
  preferredAccountType: 'smartAccount',
  signature: '0x12',
  message: 'demo.localhost wants you to sign in',
  siwxMessage,
}
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

/** The 22 requests in the specification (R7.1). */
const cases: {
  readonly [Name in Exclude<MethodName, 'RPC_ABORT' | 'CONNECT_PASSKEY' | 'CONNECT_WINDOW'>]: Case<Name>
} = {
  SWITCH_NETWORK: {
    says: { chainId: 'eip155:137', rpcUrl: 'https://rpc.example' },
    answer: { chainId: 137 },
    also: [{ chainId: solana }],
  },
  CONNECT_EMAIL: {
    says: { email: 'ada@example.org' },
    answer: { action: 'VERIFY_OTP' },
    also: [{ action: 'VERIFY_DEVICE' }, { action: 'CONNECT' }],
  },
  CONNECT_DEVICE: { says: undefined, answer: undefined },
  CONNECT_OTP: { says: { otp: '012345' }, answer: undefined },
  CONNECT_SOCIAL: {
    says: {
      uri: 'https://keys.example/done?ticket=1',
      preferredAccountType: 'smartAccount',
      chainId: 'eip155:1',
      siwxMessage,
      rpcUrl: 'https://rpc.example',
    },
    answer: { ...user, userName: 'ada' },
    also: [
      { address, chainId: 1, email: null, userName: null },
      { address, chainId: solana },
    ],
  },
  GET_FARCASTER_URI: { says: undefined, answer: { url: 'https://farcaster.example/~/siwf?channel=1' } },
  CONNECT_FARCASTER: { says: undefined, answer: { userName: 'ada.eth' } },
  GET_USER: {
    says: { chainId: 'eip155:1', preferredAccountType: 'eoa', socialUri: 'https://x.example', siwxMessage },
    answer: user,
    also: [{ address, chainId: 1, email: null }],
  },
  GET_SOCIAL_REDIRECT_URI: { says: { provider: 'google' }, answer: { uri: 'https://login.example/authorize?state=1' } },
  SIGN_OUT: { says: undefined, answer: undefined },
  IS_CONNECTED: { says: { token: 't' }, answer: { isConnected: true }, also: [{ isConnected: false }] },
  GET_CHAIN_ID: { says: undefined, answer: { chainId: 1 }, also: [{ chainId: solana }] },
  GET_SMART_ACCOUNT_ENABLED_NETWORKS: {
    says: undefined,
    answer: { smartAccountEnabledNetworks: [1, 137] },
    also: [{ smartAccountEnabledNetworks: [] }],
  },
  INIT_SMART_ACCOUNT: { says: undefined, answer: { address, isDeployed: true } },
  SET_PREFERRED_ACCOUNT: { says: { type: 'eoa' }, answer: { type: 'eoa', address } },
  RPC_REQUEST: {
    says: {
      method: 'personal_sign',
      params: ['0x68', address],
      chainId: 1,
      chainNamespace: 'eip155',
      rpcUrl: 'https://rpc.example',
    },
    answer: '0x1234',
    also: [null, { signature: 'abc' }, ['x'], undefined],
  },
  UPDATE_EMAIL: {
    says: { email: 'new@example.org' },
    answer: { action: 'VERIFY_PRIMARY_OTP' },
    also: [{ action: 'VERIFY_SECONDARY_OTP' }],
  },
  UPDATE_EMAIL_PRIMARY_OTP: { says: { otp: '123456' }, answer: undefined },
  UPDATE_EMAIL_SECONDARY_OTP: { says: { otp: '123456' }, answer: { newEmail: 'new@example.org' } },
  SYNC_THEME: {
    says: {
      themeMode: 'dark',
      themeVariables: { accent: '#0a7', radius: 4 },
      w3mThemeVariables: { '--w3m-accent': '#0a7' },
    },
    answer: undefined,
  },
  SYNC_DAPP_DATA: {
    says: {
      metadata: {
        name: 'Demo',
        description: 'A demo',
        url: 'http://demo.localhost',
        icons: ['http://demo.localhost/i.png'],
      },
      sdkVersion: 'react-0.0.0',
      sdkType: 'latchkey',
      projectId: 'p1',
    },
    answer: undefined,
  },
  RELOAD: { says: undefined, answer: undefined },
}

/** Creates a page's channel. Returns the channel and the raw messages that it sends. */
function page() {
  const posted: { type: string; id: string; payload?: unknown }[] = []
  let listener: (data: unknown) => void = () => {}
  const channel = createChannel({
    transport: {
      post: (message) => void posted.push(message as (typeof posted)[number]),
      subscribe(receive) {
        listener = receive
        return () => {}
      },
    },
    clock: fakeClock(),
  })
  listener({ type: '@w3m-frame/READY', payload: {} })
  return { channel, posted, receive: (data: unknown) => listener(data) }
}

test.each(['window', 'port'] as const)(
  'a response over the %s is ignored if it lacks the frame’s prefix [R5.1]',
  async (way) => {
    let receive: (data: unknown) => void = () => {}
    const { port1, port2 } = new MessageChannel()
    const posted: { type: string; id: string }[] = []
    port2.onmessage = ({ data }) => void posted.push(data)
    const channel = createChannel({
      transport: {
        post: (message) => void posted.push(message as (typeof posted)[number]),
        subscribe(listener) {
          receive = listener
          return () => {}
        },
      },
      clock: fakeClock(),
      newPort: () => ({ port1, port2 }),
    })
    receive({ type: '@w3m-frame/READY', payload: way === 'port' ? { capabilities: ['port'] } : {} })
    const answers: unknown[] = []
    const pending = channel.ask('GET_CHAIN_ID', undefined).then((answer) => answers.push(answer))
    const question = () => posted.find(({ type }) => type === '@w3m-app/GET_CHAIN_ID')
    await expect.poll(question).toBeDefined()
    const receiveChain = (type: string, chainId: number) => {
      const message = { type, id: question()?.id, payload: { chainId } }
      if (way === 'port') port2.postMessage(message)
      else receive(message)
    }
    for (const prefix of ['', '@w3m-app/', '@W3M-FRAME/', 'x@w3m-frame/', '@w3m-frame', ' @w3m-frame/'])
      receiveChain(`${prefix}GET_CHAIN_ID_SUCCESS`, 5)
    receiveChain('@w3m-frame/GET_CHAIN_ID_SUCCESS', 1)
    await pending
    expect(answers).toEqual([{ chainId: 1 }])
    channel.close()
    port2.close()
  },
)

test.each(Object.keys(cases) as (keyof typeof cases)[])(
  '%s can be sent, answered and rejected [R7.1]',
  async (name) => {
    const { says, answer, also = [] } = cases[name] as Case<MethodName>
    for (const payload of [answer, ...also]) {
      const { channel, posted, receive } = page()
      const pending = channel.ask(name, says as never)
      const [message] = posted
      expect(message).toEqual({
        type: `@w3m-app/${name}`,
        id: expect.any(String),
        ...(says !== undefined && { payload: says }),
      })
      // The page drops additional properties.
      const more =
        typeof payload === 'object' && payload !== null && name !== 'RPC_REQUEST' ? { ...payload, more: 1 } : payload
      receive({ type: `@w3m-frame/${name}_SUCCESS`, id: message?.id, payload: more })
      expect(await pending).toEqual(payload)
    }

    const { channel, posted, receive } = page()
    const refused = channel.ask(name, says as never)
    receive({ type: `@w3m-frame/${name}_ERROR`, id: posted[0]?.id, payload: { message: 'It said no.' } })
    await expect(refused).rejects.toMatchObject({ message: 'It said no.' })

    const silent = channel.ask(name, says as never)
    receive({ type: `@w3m-frame/${name}_ERROR`, id: posted[1]?.id, payload: { message: '' } })
    await expect(silent).rejects.toMatchObject({ message: 'An error occurred' })
  },
)

test.each(Object.keys(cases) as (keyof typeof cases)[])(
  'the frame receives %s with its full payload, and responds to it with the same ID [R7.1]',
  (name) => {
    const { says, answer, also = [] } = cases[name] as Case<MethodName>
    const sent = { type: `@w3m-app/${name}`, id: 'a', ...(says !== undefined && { payload: says }) }
    expect(readAppMessage(sent)).toEqual({ kind: 'question', question: { name, id: 'a', payload: says } })
    for (const payload of [answer, ...also])
      expect(answerTo({ name, id: 'a' }, payload)).toEqual({
        type: `@w3m-frame/${name}_SUCCESS`,
        id: 'a',
        ...(payload !== undefined && { payload }),
      })
    expect(refusalTo({ name, id: 'a' }, 'It said no.')).toEqual({
      type: `@w3m-frame/${name}_ERROR`,
      id: 'a',
      payload: { message: 'It said no.' },
    })
  },
)

/** Invalid payloads for the requests that need a payload. Each lacks a field or has a field of the wrong type. */
const incomplete: Readonly<Record<string, readonly unknown[]>> = {
  SWITCH_NETWORK: [undefined, {}, { chainId: true }],
  CONNECT_EMAIL: [undefined, {}, { email: 'ada' }],
  CONNECT_OTP: [undefined, {}, { otp: '12345' }],
  CONNECT_SOCIAL: [undefined, {}, { preferredAccountType: 'eoa' }],
  GET_USER: [{ chainId: true }, { siwxMessage: {} }],
  GET_SOCIAL_REDIRECT_URI: [undefined, {}, { provider: 'myspace' }],
  IS_CONNECTED: [{}, { token: 1 }],
  SET_PREFERRED_ACCOUNT: [undefined, {}, { type: 'multisig' }],
  RPC_REQUEST: [undefined, {}, { params: [] }],
  UPDATE_EMAIL: [undefined, {}, { email: 'ada' }],
  UPDATE_EMAIL_PRIMARY_OTP: [undefined, {}, { otp: '12345' }],
  UPDATE_EMAIL_SECONDARY_OTP: [undefined, {}, { otp: '12345' }],
  SYNC_THEME: [undefined, { themeMode: 'blue' }],
  SYNC_DAPP_DATA: [undefined, {}, { projectId: 'p', metadata: { name: 'Demo' } }],
}

test.each(Object.entries(incomplete))('%s with an invalid payload is malformed [R7.1]', (name, payloads) => {
  for (const payload of payloads)
    expect(readAppMessage({ type: `@w3m-app/${name}`, id: 'a', payload })).toMatchObject({
      kind: 'malformed',
      name,
      id: 'a',
    })
})

test.each<[MethodName, readonly unknown[]]>([
  ['SWITCH_NETWORK', [{}]],
  ['CONNECT_EMAIL', [{}, { action: 'VERIFY_PRIMARY_OTP' }]],
  ['CONNECT_SOCIAL', [{}, { chainId: 1 }]],
  ['GET_FARCASTER_URI', [{}, { uri: 'https://farcaster.example' }]],
  ['CONNECT_FARCASTER', [{}, { userName: 7 }]],
  ['GET_USER', [{}, { address }]],
  ['GET_SOCIAL_REDIRECT_URI', [{}, { url: 'https://login.example' }]],
  ['IS_CONNECTED', [{}, { isConnected: 'yes' }]],
  ['GET_CHAIN_ID', [{}]],
  ['GET_SMART_ACCOUNT_ENABLED_NETWORKS', [{}, { smartAccountEnabledNetworks: ['1'] }]],
  ['INIT_SMART_ACCOUNT', [{}, { address }]],
  ['SET_PREFERRED_ACCOUNT', [{}, { type: 'eoa' }]],
  ['UPDATE_EMAIL', [{}, { action: 'VERIFY_OTP' }]],
  ['UPDATE_EMAIL_SECONDARY_OTP', [{}, { newEmail: '' }]],
])('a %s success response with an invalid payload is malformed [R7.1]', (name, payloads) => {
  for (const payload of [undefined, ...payloads])
    expect(readFrameMessage({ type: `@w3m-frame/${name}_SUCCESS`, id: 'a', payload })).toMatchObject({
      kind: 'malformed',
      name,
    })
})

test('there are exactly 24 message types from the page, plus our own, and 48 from the frame [R7.1]', () => {
  expect(Object.keys(cases)).toHaveLength(22)
  const ours = /PORT|CONNECT_PASSKEY|CONNECT_WINDOW/
  expect(appTypes.filter((type) => !ours.test(type))).toHaveLength(24)
  expect(new Set(frameTypes.filter((type) => !ours.test(type))).size).toBe(48)
  for (const name of questionNames)
    expect(frameTypes).toEqual(expect.arrayContaining([successType(name), errorType(name)]))
  expect(frameTypes).toEqual(expect.arrayContaining(['@w3m-frame/READY', '@w3m-frame/SESSION_UPDATE']))
})

const userSays = (payload: unknown, name = 'GET_USER') =>
  readFrameMessage({ type: `@w3m-frame/${name}_SUCCESS`, id: '1', payload })

test.each<[string, object]>([
  ['an address and a numeric chain ID', { address, chainId: 1 }],
  ['a CAIP-2 chain ID', { address, chainId: solana }],
  ['no email address', { address, chainId: 1, email: null }],
  ['a deployed smart account', { address, chainId: 1, smartAccountDeployed: true }],
  ['an account of each type', { address, chainId: 1, accounts: user.accounts, preferredAccountType: 'eoa' }],
  ['an empty account list', { address, chainId: 1, accounts: [] }],
  ['all fields', user],
])('a connected user can have %s [R3.1]', (_, payload) => {
  expect(userSays(payload)).toMatchObject({ kind: 'answer', answer: { ok: true, payload } })
})

test('a social login includes the user’s name if there is one [R3.1]', () => {
  for (const userName of ['ada', null])
    expect(userSays({ ...user, userName }, 'CONNECT_SOCIAL')).toMatchObject({
      answer: { ok: true, payload: { userName } },
    })
  expect(userSays({ ...user, userName: 7 }, 'CONNECT_SOCIAL')).toMatchObject({ kind: 'malformed' })
  expect(userSays(user, 'CONNECT_SOCIAL')).toEqual({
    kind: 'answer',
    answer: { name: 'CONNECT_SOCIAL', id: '1', ok: true, payload: user },
  })
})

test('a user name in a GET_USER response is dropped [R3.1]', () => {
  expect(userSays({ ...user, userName: 'ada' })).toEqual({
    kind: 'answer',
    answer: { name: 'GET_USER', id: '1', ok: true, payload: user },
  })
})

test.each<[string, object]>([
  ['the address is missing', { chainId: 1 }],
  ['the address is empty', { address: '', chainId: 1 }],
  ['the chain is missing', { address }],
  ['the chain is neither a string nor a number', { address, chainId: { id: 1 } }],
  ['the chain ID is negative', { address, chainId: -1 }],
  ['the chain ID is not an integer', { address, chainId: 1.5 }],
  ['the email is not a string', { address, chainId: 1, email: 7 }],
  ['the email is empty', { address, chainId: 1, email: '' }],
  ['the email is malformed', { address, chainId: 1, email: 'ada' }],
  ['the preferred account type is not a string', { address, chainId: 1, preferredAccountType: 1 }],
  ['the accounts are not a list', { address, chainId: 1, accounts: { address, type: 'eoa' } }],
  ['an account type is unknown', { address, chainId: 1, accounts: [{ address, type: 'multisig' }] }],
  ['an account has no address', { address, chainId: 1, accounts: [{ type: 'eoa' }] }],
  ['the deployment status is not a boolean', { address, chainId: 1, smartAccountDeployed: 'yes' }],
])('a user is invalid if %s [R3.1]', (_, payload) => {
  expect(userSays(payload)).toMatchObject({ kind: 'malformed', name: 'GET_USER' })
  expect(userSays(payload, 'CONNECT_SOCIAL')).toMatchObject({ kind: 'malformed', name: 'CONNECT_SOCIAL' })
})

test('a session update must contain a valid token, and any other property is dropped [R3.16]', () => {
  const update = (payload: unknown) => readFrameMessage({ type: '@w3m-frame/SESSION_UPDATE', payload })
  expect(update({ token: 'jwt', more: 1 })).toEqual({ kind: 'session', token: 'jwt' })
  expect(update({ token: 1 })).toMatchObject({ kind: 'malformed', name: 'SESSION_UPDATE' })
  expect(update(undefined)).toMatchObject({ kind: 'malformed' })
})
