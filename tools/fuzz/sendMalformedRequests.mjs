// Sends malformed requests and upgrades to the routes of a running server, and reports server errors, dropped connections and
// failed health checks.

import { generateKeyPairSync, sign } from 'node:crypto'
import { connect } from 'node:net'
import { any, body, choices, text } from './hostileValues.mjs'

/** @typedef {import('./hostileValues.mjs').Choices} Choices */
/** @typedef {{ origin: string, host: string, method: string, path: string, schema?: unknown }} Target */
/** @typedef {{ target: string, status: string, request: string, answer: string }} Fault */

const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
/** The values for path parameters, including the last segments of the sign-in URLs, which share a single route. */
const words = [
  'nonce',
  'authenticate',
  'me',
  'sign-out',
  'keys',
  'otp',
  'account-metadata',
  'google',
  'offer',
  'sealed',
]
/** The timeout for a response. A response that takes longer is a fault. */
const answerMs = 30_000

/**
 * Returns one target for each route and method.
 * @param {readonly { origin: string, method: string, path: string }[]} routes
 * @param {{ hosts: Readonly<Record<string, string>>, schemas: ReadonlyMap<string, unknown> }} known
 * @returns {Target[]}
 */
export function targetsOf(routes, { hosts, schemas }) {
  return routes.flatMap(({ origin, method, path }) =>
    (method === 'ALL' ? everyMethod : [method]).map((verb) => ({
      origin,
      host: hosts[origin] ?? '',
      method: verb,
      path,
      schema: schemas.get(`${verb} ${path}`),
    })),
  )
}

/**
 * Sends at least `total` requests. Resolves to the number of responses of each status for each target, the faults, the slowest
 * health check, and the targets that received fewer than `perTarget` requests.
 * @param {{
 *   port: number, targets: readonly Target[], seed: number, perTarget: number, total: number, abreast?: number,
 *   isAlive: () => boolean, say?: (line: string) => void,
 * }} options
 */
export async function fuzz({ port, targets, seed, perTarget, total, abreast = 24, isAlive, say = () => {} }) {
  const c = choices(seed)
  /** @type {Map<string, Map<string, number>>} */
  const statuses = new Map()
  /** @type {Fault[]} */
  const faults = []
  const upgrades = [...new Map(targets.map((target) => [target.origin, target])).values()].map((target) => ({
    ...target,
    method: 'UPGRADE',
    path: '/',
  }))
  const all = [...targets, ...upgrades]
  const count = Math.max(perTarget, Math.ceil(total / all.length))
  // Go through the targets in turn, so that even a run that ends early has sent requests to all of them.
  let next = 0
  const maxRequests = count * all.length
  let healthMs = 0

  const note = (/** @type {Target} */ target, /** @type {string} */ status) => {
    const name = nameOf(target)
    const found = statuses.get(name) ?? new Map()
    statuses.set(name, found.set(status, (found.get(status) ?? 0) + 1))
  }

  const worker = async () => {
    while (next < maxRequests && isAlive() && faults.length < 50) {
      const target = /** @type {Target} */ (all[next % all.length])
      next += 1
      if (next % 10_000 === 0) say(`${next} of ${maxRequests}`)
      const attempt = target.method === 'UPGRADE' ? upgradeOf(target, c) : requestOf(target, c)
      const answer = await exchange(port, attempt)
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? (answer === '' ? 'closed' : 'other')
      note(target, status)
      const isFault =
        (/^5/.test(status) && !(status === '503' && /\r\nretry-after:/i.test(answer))) ||
        (status === 'closed' && !attempt.canClose)
      if (isFault && isAlive())
        faults.push({
          target: nameOf(target),
          status,
          request: String(attempt.bytes).slice(0, 600),
          answer: answer.slice(0, 400),
        })
    }
  }
  const isOver = { yet: false }
  const health = async () => {
    while (!isOver.yet && isAlive()) {
      const from = performance.now()
      const { bytes } = plain('GET', targets[0]?.host ?? 'localhost', '/health')
      const answer = await exchange(port, { bytes, ending: 'whole' })
      healthMs = Math.max(healthMs, performance.now() - from)
      if (!answer.startsWith('HTTP/1.1 200') && isAlive())
        faults.push({ target: 'GET /health', status: 'unanswered', request: '', answer })
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const watched = health()
  await Promise.all(Array.from({ length: abreast }, worker))
  isOver.yet = true
  await watched
  const short = all.filter((target) => {
    const sum = [...(statuses.get(nameOf(target))?.values() ?? [])].reduce((a, b) => a + b, 0)
    return sum < perTarget
  })
  return { statuses, faults, sent: next, healthMs, short: short.map(nameOf) }
}

/** @param {Target} target */
const nameOf = ({ origin, method, path }) => `${origin} ${method} ${path}`

/**
 * Formats the statuses as a table.
 * @param {ReadonlyMap<string, ReadonlyMap<string, number>>} statuses
 */
export function tableOf(statuses) {
  return [...statuses]
    .map(([name, found]) => {
      const parts = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([status, count]) => `${status}×${count}`)
      return `${name.padEnd(56)} ${parts.join('  ')}`
    })
    .join('\n')
}

/** @typedef {{ bytes: string | Buffer, ending: 'whole' | 'half' | 'reset', canClose?: boolean, frames?: readonly Buffer[] }} Attempt */

/** @param {string} method @param {string} host @param {string} path @returns {Attempt} */
function plain(method, host, path) {
  return { bytes: `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, ending: 'whole' }
}

/** @param {Target} target @param {Choices} c @returns {Attempt} */
function requestOf(target, c) {
  const { method, host } = target
  const path = pathOf(target, c)
  const payload = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? '' : body(target.schema, c)
  const content = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
  const headers = [`Host: ${host}`, ...headersOf(target, c), 'Connection: close']
  const head = (/** @type {readonly string[]} */ lines) =>
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const whole = Buffer.concat([head([...headers, `Content-Length: ${content.length}`]), content])
  switch (c.int(16)) {
    case 0: // Only the first part of the request.
      return { bytes: whole.subarray(0, c.int(whole.length)), ending: c.pick(['half', 'reset']), canClose: true }
    case 1: // Three pipelined requests.
      return { bytes: Buffer.concat([whole, whole, whole]), ending: 'whole', canClose: true }
    case 2: {
      const chunks = c.pick([
        `${content.length.toString(16)}\r\n${content.toString('latin1')}\r\n0\r\n\r\n`,
        'zz\r\nabc\r\n0\r\n\r\n',
        'ffffffffffffffff\r\nabc',
        '-5\r\nhello\r\n0\r\n\r\n',
        '5;ext="x\r\nhello\r\n0\r\nTrailer: a\r\n\r\n',
        '0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n',
      ])
      const bytes = Buffer.concat([head([...headers, 'Transfer-Encoding: chunked']), Buffer.from(chunks, 'latin1')])
      return { bytes, ending: 'half', canClose: true }
    }
    case 3: {
      const lines = c.pick([
        ['Content-Length: 5', 'Transfer-Encoding: chunked'],
        ['Content-Length: -1'],
        ['Content-Length: 99999999999999999999'],
        ['Content-Length: 3', 'Content-Length: 4'],
        [`X-Long: ${'a'.repeat(c.int(80_000))}`],
        Array.from({ length: c.int(3_000) }, (_, nth) => `X-${nth}: 1`),
        ['X\u0000: 1'],
        [': empty'],
        ['Expect: 100-continue'],
        ['Expect: nonsense'],
        ['Host: other.example'],
        [' folded'],
      ])
      return { bytes: Buffer.concat([head([...headers, ...lines]), content]), ending: 'half', canClose: true }
    }
    case 4: {
      const bytes = c.pick([
        `${method} ${path} HTTP/9.9\r\n\r\n`,
        `${method} ${path}\r\n\r\n`,
        `${method.toLowerCase()} ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
        `${method} ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`,
        `${method} http://${host}${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
        `TRACE ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
        '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
        '\r\n\r\n\r\n',
      ])
      return { bytes: Buffer.from(bytes, 'latin1'), ending: 'half', canClose: true }
    }
    default:
      // If the server rejects a large body early, the connection can break before the response is read.
      return { bytes: whole, ending: 'whole', canClose: content.length > 65_536 }
  }
}

/** @param {Target} target @param {Choices} c */
function pathOf({ path }, c) {
  const filled = path
    .replace(/:(\w+)(\{[^}]*\})?\??/g, () => {
      const word = c.chance(0.5) ? c.pick(words) : c.chance(0.5) ? c.hex(32) : text(c).slice(0, 300)
      return encodeURIComponent(word.replace(/[\ud800-\udfff]/g, '')) || 'x'
    })
    .replace('*', () => c.pick(['', 'a', 'a/b', '%00', '%2e%2e/%2e%2e/x', '%', '%ff', 'index.html', 'x'.repeat(3_000)]))
  const slashed = filled.startsWith('/') ? filled : `/${filled}`
  if (c.chance(0.2)) return slashed
  const names = [
    'projectId',
    'st',
    'sv',
    'page',
    'entries',
    'search',
    'chainId',
    'chains',
    'include',
    'account',
    'code',
    'state',
  ]
  const values = [
    'shop',
    'demo',
    '1',
    'eip155:1',
    '-1',
    '999999999999',
    'a,b,c',
    '%00',
    '%',
    '%ff',
    '%ed%a0%80',
    '[]',
    '%F0%9F%98%80',
  ]
  const query = Array.from({ length: c.int(6) }, () => `${c.pick(names)}=${c.pick(values)}`)
  return `${slashed}?projectId=demo&st=latchkey&sv=1&${query.join('&')}`
}

/** @param {Target} target @param {Choices} c */
function headersOf({ host, origin }, c) {
  // Most requests have valid headers: at the keys origin, those of the frame's own page, which pass its origin check, and
  // elsewhere the origin of an ordinary page.
  const lines = c.chance(0.85)
    ? origin === 'keys'
      ? [`Origin: http://${host}`, 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: cors']
      : ['Origin: http://shop.example']
    : [`Origin: ${c.pick(['null', '', 'https://evil.example', '\u00ff', 'http://['])}`]
  lines.push(
    `Content-Type: ${c.chance(0.85) ? 'application/json' : c.pick(['text/plain', '', 'multipart/form-data', 'x/\u00e9'])}`,
  )
  const odd = () =>
    text(c)
      .replace(/[^\t\u0020-\u00ff]/g, '')
      .slice(0, 2_000)
  for (const name of [
    'Cookie',
    'Authorization',
    'X-Nonce-Jwt',
    'If-None-Match',
    'X-Project-Id',
    'Accept-Language',
    'X-Forwarded-For',
  ])
    if (c.chance(0.15))
      lines.push(`${name}: ${c.chance(0.3) ? `Bearer ${c.hex(40)}.${c.hex(40)}.${c.hex(40)}` : odd()}`)
  return lines
}

const upgradeHead = ['Connection: Upgrade', 'Upgrade: websocket']
const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='

/** @param {Target} target @param {Choices} c @returns {Attempt} */
function upgradeOf({ host }, c) {
  const query = `projectId=demo${c.chance(0.5) ? '&useOnCloseEvent=true' : ''}${c.chance(0.1) ? '&%' : ''}`
  if (c.chance(0.4)) {
    const lines = [`Host: ${host}`, ...upgradeHead, key, 'Sec-WebSocket-Version: 13']
    const bytes = `GET /?${query}&auth=${relayToken(`ws://${host}`)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
    return {
      bytes,
      ending: c.pick(['half', 'half', 'reset']),
      canClose: true,
      frames: Array.from({ length: 1 + c.int(6) }, () => frame(c)),
    }
  }
  const parts = [
    ...c.pick([
      upgradeHead,
      ['Connection: Upgrade', 'Upgrade: h2c'],
      ['Connection: Upgrade'],
      ['Upgrade: websocket'],
      [...upgradeHead, ...upgradeHead],
    ]),
    c.pick([
      key,
      'Sec-WebSocket-Key:',
      'Sec-WebSocket-Key: x',
      `Sec-WebSocket-Key: ${c.hex(4_000)}`,
      'X: 1',
      `${key}\r\n${key}`,
    ]),
    c.pick([
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Version: 12',
      'Sec-WebSocket-Version: x',
      'X: 1',
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Version: 8',
    ]),
    c.pick([
      'X: 1',
      'Sec-WebSocket-Protocol: a,,b',
      'Sec-WebSocket-Protocol: a, a',
      'Sec-WebSocket-Protocol: \u00ff',
      'Sec-WebSocket-Protocol: a',
    ]),
    c.pick([
      'X: 1',
      'Sec-WebSocket-Extensions: permessage-deflate; x=',
      'Sec-WebSocket-Extensions: ;;',
      'Content-Length: 10',
      'Transfer-Encoding: chunked',
    ]),
    c.pick([
      'X: 1',
      'Authorization: Bearer x',
      `Authorization: Bearer ${relayToken(`ws://${host}`)}`,
      'Origin: null',
      `Host: ${host}`,
    ]),
  ]
  const method = c.pick(['GET', 'GET', 'GET', 'POST', 'HEAD', 'OPTIONS', 'PUT'])
  const auth = c.chance(0.3)
    ? `&auth=${c.chance(0.5) ? relayToken(`ws://${host}`) : text(c).replace(/[^\w.]/g, '')}`
    : ''
  const whole = Buffer.from(
    `${method} /?${query}${auth} HTTP/1.1\r\nHost: ${host}\r\n${parts.join('\r\n')}\r\n\r\n`,
    'latin1',
  )
  return {
    bytes: c.chance(0.1) ? whole.subarray(0, c.int(whole.length)) : whole,
    ending: c.pick(['half', 'half', 'reset']),
    canClose: true,
    frames: c.chance(0.2) ? [frame(c)] : [],
  }
}

/** Returns a WebSocket frame that contains a call or arbitrary data. @param {Choices} c @returns {Buffer} */
function frame(c) {
  const topics = () => Array.from({ length: c.chance(0.1) ? 600 : c.int(5) }, () => c.hex(c.chance(0.9) ? 64 : 7))
  const method = c.pick([
    'irn_publish', 'irn_batchPublish', 'irn_subscribe', 'irn_batchSubscribe', 'irn_unsubscribe', 'irn_batchUnsubscribe',
    'irn_fetchMessages', 'irn_batchFetchMessages', 'irn_batchReceive', 'irn_subscribeBlocking', 'wc_proposeSession',
    'wc_approveSession', '__proto__', 'irn_other', 'waku_publish',
  ]) // biome-ignore format: one list
  const message = c.hex(c.chance(0.05) ? 200_000 : c.int(2_000))
  const params = c.pick([
    () => ({
      topic: c.hex(64),
      message,
      ttl: c.pick([300, 0, -1, 1e12, 0.5]),
      tag: c.pick([1100, -1, 1e99]),
      prompt: true,
    }),
    () => ({ topics: topics() }),
    () => ({ topic: c.hex(64), id: c.hex(64) }),
    () => ({ messages: [{ topic: c.hex(64), message, ttl: 300, tag: 1100 }, any(c)] }),
    () => ({ subscriptions: topics().map((topic) => ({ topic })), receipts: [any(c)] }),
    () => any(c),
  ])()
  const id = c.pick(['1', '"a"', '1735689600000123456', 'null', '{}', '1e400', '"\\u0000"'])
  const content = c.chance(0.7)
    ? Buffer.from(`{"id":${id},"jsonrpc":"2.0","method":"${method}","params":${JSON.stringify(params)}}`)
    : Buffer.from(c.chance(0.5) ? String(body(undefined, c)) : Array.from({ length: c.int(200) }, () => c.int(256)))
  const length =
    content.length < 126
      ? Buffer.from([0x80 | content.length])
      : content.length < 65_536
        ? Buffer.from([0xfe, content.length >> 8, content.length & 255])
        : Buffer.concat([Buffer.from([0xff, 0, 0, 0, 0]), uint32(content.length)])
  const first = c.chance(0.85) ? 0x81 : c.int(256)
  const whole = Buffer.concat([Buffer.from([first]), length, Buffer.alloc(4), content])
  // Some frames are truncated or have an incorrect length.
  if (c.chance(0.05)) return whole.subarray(0, c.int(whole.length))
  if (c.chance(0.05)) return Buffer.from([0x81, 0xff, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0])
  return whole
}

/** @param {number} value */
function uint32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/**
 * Sends an attempt over its own socket, and resolves to the response.
 * @param {number} port
 * @param {Attempt} attempt
 * @returns {Promise<string>}
 */
function exchange(port, { bytes, ending, frames = [] }) {
  return new Promise((resolve) => {
    let received = ''
    let rest = [...frames]
    /** @type {NodeJS.Timeout | undefined} */
    let idle
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false }, () => {
      socket.write(bytes)
      if (ending === 'reset' && rest.length === 0) setImmediate(() => socket.resetAndDestroy())
      // Abandon incomplete requests after a short time, because a separate test checks that the server closes them itself.
      if (ending === 'half') idle = setTimeout(() => socket.destroy(), 60)
    })
    const late = setTimeout(() => socket.destroy(), answerMs)
    socket.on('data', (data) => {
      if (received.length < 4_096) received += data.toString('latin1')
      if (rest.length === 0 || !received.startsWith('HTTP/1.1 101')) return
      for (const frame of rest) socket.write(frame)
      rest = []
      if (ending === 'reset') setImmediate(() => socket.resetAndDestroy())
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(late)
      clearTimeout(idle)
      resolve(received)
    })
  })
}

/** Returns a valid relay token. @param {string} aud */
function relayToken(aud) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const iat = Math.floor(Date.now() / 1000)
  const part = (/** @type {unknown} */ value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iss = `did:key:z${base58(Buffer.from([0xed, 1, ...raw]))}`
  const content = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part({ iss, sub: '00', aud, iat, exp: iat + 86_400 })}`
  return `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`
}

/** @param {Buffer} bytes */
function base58(bytes) {
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let left = BigInt(`0x${bytes.toString('hex')}`)
  let found = ''
  for (; left > 0n; left /= 58n) found = letters[Number(left % 58n)] + found
  return found
}
