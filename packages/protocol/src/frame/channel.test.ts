import { expect, test } from 'vitest'
import { type Channel, type ChannelDependencies, createChannel } from './channel.ts'
import { type MethodName, questionNames } from './messages.ts'

interface Wire {
  readonly channel: Channel
  readonly posted: { type: string; id: string; payload?: unknown }[]
  readonly ports: MessagePort[]
  readonly reports: string[]
  receive(data: unknown): void
  ready(payload?: unknown): void
  /** Sends the response to the request at index `at`. */
  answer(at: number, type: string, payload?: unknown): void
  pass(ms: number): void
}

function wire(change: Partial<ChannelDependencies> = {}): Wire {
  const posted: Wire['posted'] = []
  const ports: MessagePort[] = []
  const reports: string[] = []
  let listener: (data: unknown) => void = () => {}
  let now = 0
  let tasks: { at: number; task: () => void }[] = []
  const channel = createChannel({
    transport: {
      post(message, transfer = []) {
        posted.push(message as Wire['posted'][number])
        ports.push(...(transfer as MessagePort[]))
      },
      subscribe(receive) {
        listener = receive
        return () => {
          listener = () => {}
        }
      },
    },
    clock: {
      after(ms, task) {
        const entry = { at: now + ms, task }
        tasks.push(entry)
        return () => {
          tasks = tasks.filter((other) => other !== entry)
        }
      },
    },
    report: (what) => reports.push(what),
    ...change,
  })
  const receive = (data: unknown) => listener(data)
  return {
    channel,
    posted,
    ports,
    reports,
    receive,
    ready: (payload = {}) => receive({ type: '@w3m-frame/READY', payload }),
    answer: (at, type, payload) => receive({ type: `@w3m-frame/${type}`, id: posted[at]?.id, payload }),
    pass(ms) {
      now += ms
      const due = tasks.filter(({ at }) => at <= now)
      tasks = tasks.filter(({ at }) => at > now)
      for (const { task } of due) task()
    },
  }
}

const settledBy = async (promise: Promise<unknown>) => {
  let state = 'open'
  promise.then(
    () => (state = 'resolved'),
    () => (state = 'rejected'),
  )
  await new Promise((resolve) => setTimeout(resolve, 0))
  return state
}

test('sends nothing before READY, and then sends all pending requests in order [R4.1]', () => {
  const { channel, posted, ready } = wire()
  channel.ask('IS_CONNECTED', undefined).catch(() => {})
  channel.notify('SYNC_THEME', { themeMode: 'dark' })
  expect(posted).toEqual([])
  ready()
  expect(posted.map(({ type }) => type)).toEqual(['@w3m-app/IS_CONNECTED', '@w3m-app/SYNC_THEME'])
})

test.each([
  ['a READY message without a payload', { type: '@w3m-frame/READY' }],
  ['a READY message whose payload is not an object', { type: '@w3m-frame/READY', payload: 'yes' }],
  ['a READY message from the page', { type: '@w3m-app/READY', payload: {} }],
  ['a READY message without a prefix', { type: 'READY', payload: {} }],
  ['a different message from the frame', { type: '@w3m-frame/SESSION_UPDATE', payload: { token: 't' } }],
  ['a response', { type: '@w3m-frame/IS_CONNECTED_SUCCESS', id: '1', payload: { isConnected: true } }],
])('%s does not make the frame ready [R4.1]', async (_, message) => {
  const { channel, posted, receive, pass } = wire()
  channel.notify('SYNC_THEME', {})
  const settled = channel.settled()
  settled.catch(() => {})
  receive(message)
  pass(500)
  expect([posted, channel.readyPayload, await settledBy(settled)]).toEqual([[], undefined, 'open'])
})

test('the channel is settled 500 ms after READY [R4.1]', async () => {
  const { channel, ready, pass } = wire()
  const settled = channel.settled()
  // The delay starts with READY, however long the frame takes to load.
  pass(3_000)
  expect(await settledBy(settled)).toBe('open')
  ready()
  pass(499)
  expect(await settledBy(settled)).toBe('open')
  pass(1)
  expect(await settledBy(settled)).toBe('resolved')
  expect(await settledBy(channel.settled())).toBe('resolved')
})

test('a second READY neither restarts the 500 ms delay nor sends the requests again [R4.1]', async () => {
  const { channel, ready, pass, posted } = wire()
  channel.notify('SYNC_THEME', {})
  const settled = channel.settled()
  ready()
  pass(300)
  ready()
  pass(200)
  expect([await settledBy(settled), posted.length]).toEqual(['resolved', 1])
})

test('a frame that does not load within 20 s is reported, and pending requests are rejected [R9.1, R8.5, R8.1]', async () => {
  const { channel, pass, reports, ready, posted } = wire()
  const requests = channel.ask('CONNECT_EMAIL', { email: 'ada@example.org' })
  const exempt = channel.ask('SYNC_DAPP_DATA', { projectId: 'p' })
  exempt.catch(() => {})
  pass(19_999)
  expect(await settledBy(requests)).toBe('open')
  pass(1)
  await expect(requests).rejects.toMatchObject({
    code: 'frame/unreachable',
    message: 'Network Error - Could not load embedded wallet',
  })
  expect(await settledBy(exempt)).toBe('rejected')
  expect(reports).toEqual(['iframe_load_failed'])
  // A frame that loads later can still be used.
  const again = channel.ask('GET_CHAIN_ID', undefined)
  ready()
  expect(posted).toHaveLength(1)
  expect(await settledBy(again)).toBe('open')
})

const timed: readonly MethodName[] = [
  'CONNECT_EMAIL',
  'CONNECT_DEVICE',
  'CONNECT_OTP',
  'CONNECT_SOCIAL',
  'GET_SOCIAL_REDIRECT_URI',
]

test.each(timed)('%s times out after 30 s [R9.1, R8.5, R8.1]', async (name) => {
  const { channel, ready, pass, reports, answer } = wire()
  ready()
  const requests = channel.ask(name, undefined as never)
  pass(29_999)
  expect(await settledBy(requests)).toBe('open')
  pass(1)
  await expect(requests).rejects.toMatchObject({ code: 'frame/timeout', message: 'Embedded Wallet Request Timed Out' })
  expect(reports).toEqual(['iframe_request_timeout'])
  // Late responses are ignored, and the next request has its own timer.
  answer(0, `${name}_SUCCESS`, {})
  const next = channel.ask(name, undefined as never)
  pass(29_999)
  expect(await settledBy(next)).toBe('open')
})

test('timeouts are not reported for a device request that uses the quiet option [R9.1]', async () => {
  const { channel, ready, pass, reports } = wire()
  ready()
  const requests = channel.ask('CONNECT_DEVICE', undefined, { quiet: true })
  pass(30_000)
  await expect(requests).rejects.toMatchObject({ code: 'frame/timeout' })
  expect(reports).toEqual([])
})

test.each(questionNames.filter((name) => !timed.includes(name) && name !== 'SIGN_OUT'))(
  '%s does not time out once the frame is ready [R9.1]',
  async (name) => {
    const { channel, ready, pass } = wire()
    ready()
    const requests = channel.ask(name, { method: 'personal_sign' } as never)
    pass(3_600_000)
    expect(await settledBy(requests)).toBe('open')
  },
)

test('a sign-out resolves after at most 3 s, and the request is still sent if the frame loads later [R9.1] [R9.14]', async () => {
  const { channel, ready, pass, posted } = wire()
  const left = channel.ask('SIGN_OUT', undefined)
  pass(3_000)
  expect(await settledBy(left)).toBe('resolved')
  ready()
  expect(posted.map(({ type }) => type)).toEqual(['@w3m-app/SIGN_OUT'])
})

test('a sign-out resolves after at most 3 s if the frame has loaded but does not respond [R9.1] [R9.14]', async () => {
  const { channel, ready, pass, answer, reports } = wire()
  ready()
  const left = channel.ask('SIGN_OUT', undefined)
  pass(2_999)
  expect(await settledBy(left)).toBe('open')
  pass(1)
  expect(await settledBy(left)).toBe('resolved')
  // The timeout is not reported as a failure. If there is a response, the sign-out resolves earlier.
  expect(reports).toEqual([])
  const next = channel.ask('SIGN_OUT', undefined)
  answer(1, 'SIGN_OUT_SUCCESS')
  expect(await settledBy(next)).toBe('resolved')
})

test('the 30 s timeout starts when a request is sent, not when it is queued [R9.1]', async () => {
  const { channel, ready, pass } = wire()
  const requests = channel.ask('CONNECT_OTP', { otp: '123456' })
  pass(19_000)
  ready()
  pass(29_999)
  expect(await settledBy(requests)).toBe('open')
  pass(1)
  await expect(requests).rejects.toMatchObject({ code: 'frame/timeout' })
})

const untimedWhileLoading: readonly MethodName[] = ['SYNC_DAPP_DATA', 'SYNC_THEME', 'SET_PREFERRED_ACCOUNT', 'SIGN_OUT']

test.each(questionNames.filter((name) => !untimedWhileLoading.includes(name)))(
  'if the frame does not load within 20 s, %s rejects, is reported and is never sent [R9.1]',
  async (name) => {
    const { channel, pass, reports, ready, posted } = wire()
    const requests = channel.ask(name, undefined as never)
    pass(19_999)
    expect(await settledBy(requests)).toBe('open')
    pass(1)
    expect(await settledBy(requests)).toBe('rejected')
    await expect(requests).rejects.toMatchObject({ code: 'frame/unreachable' })
    expect(reports).toEqual(['iframe_load_failed'])
    ready()
    expect(posted).toEqual([])
  },
)

test('IDs are UUIDs, and a response must match the ID and the type of its request', async () => {
  const { channel, ready, posted, answer, receive } = wire()
  ready()
  const requests = channel.ask('IS_CONNECTED', undefined)
  expect(posted[0]?.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  receive({ type: '@w3m-frame/IS_CONNECTED_SUCCESS', id: 'other', payload: { isConnected: false } })
  receive({ type: '@w3m-frame/IS_CONNECTED_SUCCESS', payload: { isConnected: false } })
  answer(0, 'GET_CHAIN_ID_SUCCESS', { chainId: 1 })
  answer(0, 'GET_CHAIN_ID_ERROR', { message: 'no' })
  expect(await settledBy(requests)).toBe('open')
  answer(0, 'IS_CONNECTED_SUCCESS', { isConnected: true })
  expect(await requests).toEqual({ isConnected: true })
})

test.each([
  ['IS_CONNECTED_SUCCESS', { isConnected: 'yes' }],
  ['IS_CONNECTED_SUCCESS', undefined],
  ['IS_CONNECTED_ERROR', undefined],
  ['IS_CONNECTED_ERROR', { message: 7 }],
])('a malformed response makes the request reject: %s %o [R8.1]', async (type, payload) => {
  const { channel, ready, answer } = wire()
  ready()
  const requests = channel.ask('IS_CONNECTED', undefined)
  answer(0, type, payload)
  await expect(requests).rejects.toMatchObject({ code: 'frame/failed', message: 'An error occurred' })
})

test('an aborted wallet request rejects with a specific error code, and any other aborted request with a general one [R8.1] [R4.15]', async () => {
  const { channel, ready } = wire()
  ready()
  const controller = new AbortController()
  const signing = channel.ask('RPC_REQUEST', { method: 'personal_sign', params: [] }, { signal: controller.signal })
  const other = channel.ask('GET_USER', undefined)
  controller.abort()
  await expect(signing).rejects.toMatchObject({ message: 'Request was aborted' })
  expect(await settledBy(other)).toBe('open')
  const two = new AbortController()
  const user = channel.ask('GET_USER', undefined, { signal: two.signal })
  two.abort()
  await expect(user).rejects.toMatchObject({ message: 'Something went wrong' })
  await expect(channel.ask('GET_USER', undefined, { signal: two.signal })).rejects.toMatchObject({
    code: 'frame/aborted',
  })
  await expect(
    channel.ask('RPC_REQUEST', { method: 'personal_sign', params: [] }, { signal: two.signal }),
  ).rejects.toMatchObject({ code: 'request/aborted', message: 'Request was aborted' })
})

test('never sends a request that is aborted before READY [R8.1]', async () => {
  const { channel, ready, posted } = wire()
  const controller = new AbortController()
  const requests = channel.ask('CONNECT_OTP', { otp: '123456' }, { signal: controller.signal })
  controller.abort()
  await expect(requests).rejects.toMatchObject({ code: 'frame/aborted' })
  ready()
  expect(posted).toEqual([])
})

test('never sends a wallet request that is aborted before READY, and rejects it with a specific error code [R8.1]', async () => {
  const { channel, ready, posted } = wire()
  const controller = new AbortController()
  const signing = channel.ask('RPC_REQUEST', { method: 'personal_sign', params: [] }, { signal: controller.signal })
  controller.abort()
  await expect(signing).rejects.toMatchObject({ code: 'request/aborted', message: 'Request was aborted' })
  ready()
  expect(posted).toEqual([])
})

test('settled() rejects with a general error if it is aborted or if the channel is closed [R8.1]', async () => {
  const aborted = { code: 'frame/aborted', message: 'Something went wrong' }
  const { channel, ready, pass } = wire()
  const loading = new AbortController()
  const beforeReady = channel.settled({ signal: loading.signal })
  loading.abort()
  await expect(beforeReady).rejects.toMatchObject(aborted)
  ready()
  const settling = new AbortController()
  const afterReady = channel.settled({ signal: settling.signal })
  settling.abort()
  await expect(afterReady).rejects.toMatchObject(aborted)
  const closing = channel.settled()
  channel.close()
  await expect(closing).rejects.toMatchObject(aborted)
  pass(500)
})

test('uses only the port if the frame offers one', async () => {
  const { channel, ready, posted, ports, receive } = wire()
  ready({ version: '1', capabilities: ['port'] })
  expect(channel.speaks).toBe('port')
  expect(channel.readyPayload).toEqual({ version: '1', capabilities: ['port'] })
  expect(posted).toEqual([{ type: '@w3m-app/PORT' }])
  const [port] = ports as [MessagePort]
  const arrived = new Promise<{ id: string }>((resolve) => {
    port.onmessage = ({ data }) => resolve(data)
  })
  const requests = channel.ask('GET_CHAIN_ID', undefined)
  const { id } = await arrived
  expect(posted).toHaveLength(1)
  receive({ type: '@w3m-frame/GET_CHAIN_ID_SUCCESS', id, payload: { chainId: 666 } })
  port.postMessage({ type: '@w3m-frame/GET_CHAIN_ID_SUCCESS', id, payload: { chainId: 1 } })
  expect(await requests).toEqual({ chainId: 1 })
  channel.close()
  port.close()
})

test('when the frame reloads, it gets a new port, and earlier requests are rejected', async () => {
  const { channel, ready, ports } = wire()
  ready({ capabilities: ['port'] })
  const requests = channel.ask('GET_USER', undefined)
  ready({ capabilities: ['port'] })
  await expect(requests).rejects.toMatchObject({ code: 'frame/failed' })
  expect(ports).toHaveLength(2)
  channel.close()
  for (const port of ports) port.close()
})

test('a second READY without a port has no effect on pending requests', async () => {
  const { channel, ready, answer } = wire()
  ready()
  const requests = channel.ask('GET_CHAIN_ID', undefined)
  ready()
  answer(0, 'GET_CHAIN_ID_SUCCESS', { chainId: 1 })
  expect(await requests).toEqual({ chainId: 1 })
})

test('pending requests are rejected if the browser cannot load the iframe [R8.1]', async () => {
  const { channel } = wire()
  const requests = channel.ask('GET_USER', undefined)
  const { failure } = await import('../errors/errorMessages.ts')
  channel.fail(failure('frame/load-failed'))
  await expect(requests).rejects.toMatchObject({ message: 'Unable to load email login dependency' })
})

test('recognizes messages that correspond to error codes [R8.1]', async () => {
  for (const [message, code] of [
    ['User rejected the request.', 'user/rejected'],
    ['Request was aborted', 'request/aborted'],
    ['Requested RPC call is not allowed', 'frame/not-allowed'],
    ['Insufficient funds', 'frame/failed'],
  ] as const) {
    const { channel, ready, answer } = wire()
    ready()
    const requests = channel.ask('RPC_REQUEST', { method: 'personal_sign', params: [] })
    answer(0, 'RPC_REQUEST_ERROR', { message })
    await expect(requests).rejects.toMatchObject({ code, ...(code !== 'user/rejected' && { message }) })
    // For other requests, the same text has no special meaning.
    const other = channel.ask('GET_USER', undefined)
    answer(1, 'GET_USER_ERROR', { message })
    await expect(other).rejects.toMatchObject({ code: 'frame/failed', message })
  }
})

test('closing the channel rejects pending and later requests [R8.1]', async () => {
  const { channel, ready } = wire()
  ready()
  const requests = channel.ask('GET_USER', undefined)
  const signing = channel.ask('RPC_REQUEST', { method: 'personal_sign', params: [] })
  channel.close()
  await expect(requests).rejects.toMatchObject({ code: 'frame/aborted' })
  await expect(signing).rejects.toMatchObject({ code: 'request/aborted', message: 'Request was aborted' })
  await expect(channel.ask('GET_USER', undefined)).rejects.toMatchObject({
    code: 'frame/no-iframe',
    message: 'W3mFrame: iframe is not set',
  })
  await expect(channel.settled()).rejects.toMatchObject({ message: 'W3mFrame: iframe is not set' })
})
