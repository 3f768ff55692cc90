import { expect, test, vi } from 'vitest'
import { type Caller, createMessageBridge, type MessageBridgeWindow } from './messageBridge.ts'
import { PublicError } from './publicError.ts'

const host = 'https://bakery.example'

interface Sent {
  readonly message: { type: string; id?: string; payload?: unknown }
  readonly target: string
}

function context(options: { ancestor?: string | undefined; referrer?: string; alone?: boolean } = { ancestor: host }) {
  const sent: Sent[] = []
  const request: { name: string; payload: unknown; origin: string }[] = []
  let now = 0
  const page = { postMessage: (message: Sent['message'], target: string) => sent.push({ message, target }) }
  const window = Object.assign(new EventTarget(), {
    parent: page as unknown,
    location: { ancestorOrigins: options.ancestor === undefined ? undefined : [options.ancestor] },
    document: { referrer: options.referrer ?? '' },
  })
  if (options.alone) window.parent = window
  const bridge = createMessageBridge({
    window: window as unknown as MessageBridgeWindow,
    now: () => now,
    answer: async ({ name, payload }, { origin }: Caller) => {
      request.push({ name, payload, origin })
      if (name === 'CONNECT_DEVICE') return new Promise(() => {})
      if (name === 'GET_CHAIN_ID') throw new PublicError('Not now')
      if (name === 'SIGN_OUT') throw new Error('secret detail')
      return { isConnected: false }
    },
  })
  bridge.sayReady({ version: '4', capabilities: ['port'] })
  const deliver = (data: unknown, from: { origin?: string; source?: unknown; ports?: MessagePort[] } = {}) =>
    window.dispatchEvent(Object.assign(new Event('message'), { data, origin: host, source: page, ports: [], ...from }))
  return { sent, request, bridge, deliver, page, pass: (ms: number) => (now += ms) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const ask = (id: string, type = 'IS_CONNECTED', payload?: unknown) => ({ type: `@w3m-app/${type}`, id, payload })

test('sends READY only to the embedder that the browser reports [R4.1] [R5.1]', () => {
  const { sent, bridge } = context()
  expect(sent).toEqual([
    {
      message: { type: '@w3m-frame/READY', payload: { version: '4', capabilities: ['port'] } },
      target: host,
    },
  ])
  expect(bridge.embedder()).toBe(host)
})

test('ignores a message without the page’s prefix, whether it arrives through the window or through the port [R5.1]', async () => {
  const prefixes = ['', '@w3m-frame/', '@W3M-APP/', 'x@w3m-app/', '@w3m-app', ' @w3m-app/']
  const wrong = prefixes.map((prefix, at) => ({ type: `${prefix}IS_CONNECTED`, id: `wrong ${at}` }))
  const { sent, request, deliver } = context()
  for (const message of wrong) deliver(message)
  await settled()
  expect([request, sent.length]).toEqual([[], 1])

  const { port1, port2 } = new MessageChannel()
  const answers: { id: string }[] = []
  const answered = new Promise<void>((resolve) => {
    port1.onmessage = ({ data }) => {
      answers.push(data)
      resolve()
    }
  })
  deliver({ type: '@w3m-app/PORT' }, { ports: [port2] })
  for (const message of wrong) port1.postMessage(message)
  port1.postMessage(ask('right'))
  await answered
  expect([request.length, answers.map(({ id }) => id)]).toEqual([1, ['right']])
  port1.close()
})

test('responds once to each request, with its ID, and only to the exact origin', async () => {
  const { sent, request, deliver } = context()
  deliver(ask('a'))
  deliver(ask('a'))
  await settled()
  deliver(ask('a'))
  await settled()
  expect(request).toEqual([{ name: 'IS_CONNECTED', payload: undefined, origin: host }])
  expect(sent.slice(1)).toEqual([
    { message: { type: '@w3m-frame/IS_CONNECTED_SUCCESS', id: 'a', payload: { isConnected: false } }, target: host },
  ])
})

test('sends public errors unchanged and replaces all other errors with "An error occurred" [R5.18]', async () => {
  const { sent, deliver } = context()
  deliver(ask('a', 'GET_CHAIN_ID'))
  deliver(ask('b', 'SIGN_OUT'))
  deliver(ask('c', 'CONNECT_EMAIL', { email: 'nobody' }))
  deliver(ask('d', 'CONNECT_EMAIL', {}))
  deliver(ask('e', 'CONNECT_EMAIL', { email: 7 }))
  deliver(ask('f', 'CONNECT_EMAIL', 'ada@bakery.example'))
  deliver(ask('g', 'SYNC_THEME', { themeMode: 'blue' }))
  deliver(ask('h', 'CONNECT_EMAIL'))
  await settled()
  const responses = Object.fromEntries(sent.slice(1).map(({ message }) => [message.id, message]))
  expect(responses.a).toEqual({ type: '@w3m-frame/GET_CHAIN_ID_ERROR', id: 'a', payload: { message: 'Not now' } })
  expect(responses.b).toMatchObject({ payload: { message: 'An error occurred' } })
  expect(responses.c).toMatchObject({ type: '@w3m-frame/CONNECT_EMAIL_ERROR', payload: { message: 'Invalid email' } })
  expect(responses.d).toMatchObject({ type: '@w3m-frame/CONNECT_EMAIL_ERROR', payload: { message: 'email: Required' } })
  expect(['e', 'f', 'g', 'h'].map((id) => responses[id]?.payload)).toEqual([
    { message: 'email: Expected string received number' },
    { message: 'Expected object received string' },
    { message: 'themeMode: Invalid input' },
    { message: 'Required' },
  ])
})

test.each<[who: string, from: { origin?: string; source?: unknown }]>([
  ['a sibling frame with the right origin', { source: {} }],
  ['the parent with a different origin', { origin: 'https://evil.example' }],
  ['a different port', { origin: `${host}:8443` }],
  ['a different scheme', { origin: 'http://bakery.example' }],
  ['a subdomain', { origin: 'https://shop.bakery.example' }],
  ['an origin with a trailing dot', { origin: `${host}.` }],
  ['a sandboxed page', { origin: 'null' }],
  ['an empty origin', { origin: '' }],
])('ignores messages from %s', async (_who, from) => {
  const { sent, request, deliver } = context()
  deliver(ask('a'), from)
  await settled()
  expect([request.length, sent.length]).toEqual([0, 1])
})

test('if the browser does not support ancestorOrigins, the bridge identifies the page by the referrer or, if there is none, by its first message', async () => {
  expect(context({ referrer: `${host}/shop?x=1` }).sent[0]?.target).toBe(host)
  const silent = context({})
  expect(silent.sent).toEqual([])
  silent.deliver(ask('a'))
  silent.deliver(ask('b'), { origin: 'https://evil.example' })
  await settled()
  expect(silent.sent.map(({ message, target }) => [message.type, target])).toEqual([
    ['@w3m-frame/READY', host],
    ['@w3m-frame/IS_CONNECTED_SUCCESS', host],
  ])
})

test('a frame opened at the top level logs that it has no parent and ignores messages [R8.1]', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { sent, deliver, page } = context({ alone: true })
  deliver(ask('a'), { source: page })
  await settled()
  expect([sent, error.mock.calls]).toEqual([[], [['W3mFrame: parent is not set']]])
  error.mockRestore()
})

test('ignores window messages once the port is in use', async () => {
  const { sent, request, deliver } = context()
  const { port1, port2 } = new MessageChannel()
  const answers: unknown[] = []
  const answered = new Promise<void>((resolve) => {
    port1.onmessage = ({ data }) => {
      answers.push(data)
      resolve()
    }
  })
  deliver({ type: '@w3m-app/PORT' }, { ports: [port2] })
  deliver(ask('by-window'))
  port1.postMessage(ask('by-port'))
  await answered
  expect(answers).toEqual([{ type: '@w3m-frame/IS_CONNECTED_SUCCESS', id: 'by-port', payload: { isConnected: false } }])
  expect([sent.length, request.length]).toEqual([1, 1])
  port1.close()
})

test('drops excess messages until the rate falls', async () => {
  const { request, deliver, pass } = context()
  for (let at = 0; at < 5_000; at++) deliver(ask(`f${at}`))
  await settled()
  // At most 128 requests can be pending, and the burst limit is 400 messages.
  expect(request.length).toBe(128)
  pass(10_000)
  deliver(ask('later'))
  await settled()
  expect(request.length).toBe(129)
  for (let at = 0; at < 5_000; at++) deliver(ask(`g${at}`))
  await settled()
  const before = request.length
  // The bridge accepts a hundred messages per second.
  pass(20)
  for (let at = 0; at < 10; at++) deliver(ask(`h${at}`))
  await settled()
  expect(request.length - before).toBe(2)
})

test('drops messages that are huge, deeply nested, circular or not plain objects', async () => {
  const { request, sent, deliver } = context()
  const circle: { payload?: unknown } = {}
  circle.payload = circle
  deliver(ask('a', 'SYNC_THEME', { themeVariables: { x: 'y'.repeat(2_000_000) } }))
  deliver(ask('b', 'RPC_REQUEST', { method: 'eth_call', params: new Array(5_000_000) }))
  deliver({ ...ask('c'), ...circle })
  deliver({ ...ask('d'), payload: new Map([['a', 1]]) })
  for (const odd of [null, undefined, 1, 'READY', [], () => {}, { type: 1 }, { type: '@w3m-app/__proto__', id: 'e' }])
    deliver(odd)
  await settled()
  expect([request.length, sent.length]).toEqual([0, 1])
})

test('does not respond after it is closed', async () => {
  const { sent, request, bridge, deliver } = context()
  deliver(ask('a'))
  bridge.close()
  deliver(ask('b'))
  await settled()
  expect([request.length, sent.length]).toEqual([1, 1])
})
