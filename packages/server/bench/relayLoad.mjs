// The clients for the fan-out benchmark, in a separate process. They search frames for what they need instead of parsing
// them, because clients that use more processor time than the server would hide differences between servers.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { token } from './relayToken.mjs'

/**
 * The number of messages that each publisher sends. Several publishers take turns, because the relay limits the bytes per client.
 */
const perPublisher = 5
const body = randomBytes(675).toString('base64')

const actions = { fanOut, exchange }
process.on('message', async ({ what, ...given }) => process.send(await actions[what](given)))
process.on('disconnect', () => process.exit())

/**
 * Publishes messages to `subscribers` clients of one topic. Sends each message `pauseMs` milliseconds after all clients have
 * received the previous one. Returns, for each message, the time until the last client has received it.
 */
async function fanOut({ kind, port, subscribers, messages, pauseMs }) {
  const topic = newTopic()
  const sockets = await openAll({ kind, port, topics: Array(subscribers).fill(topic) })
  const publishers = await openAll({ kind, port, topics: Array(Math.ceil(messages / perPublisher)).fill(undefined) })
  let missing = 0
  let received = () => {}
  for (const socket of sockets)
    onMessage({ kind, socket }, () => {
      missing -= 1
      if (missing === 0) received()
    })
  const times = []
  for (let at = 0; at < messages; at += 1) {
    missing = subscribers
    const all = new Promise((resolve) => {
      received = resolve
    })
    const from = performance.now()
    publish({ kind, socket: publishers[Math.floor(at / perPublisher)], topic, at })
    await all
    times.push(performance.now() - from)
    await pause(pauseMs)
  }
  await close([...sockets, ...publishers])
  return { times }
}

/** Lets each pair exchange messages at a constant rate. Returns, for each message, the time from sending to receiving. */
async function exchange({ kind, port, pairs, perSecond, ms }) {
  const topics = Array.from({ length: pairs }, newTopic)
  const wallets = await openAll({ kind, port, topics })
  const pages = await openAll({ kind, port, topics: kind === 'bare' ? topics : topics.map(() => undefined) })
  const times = []
  let sent = 0
  const everyMs = 1000 / perSecond
  await Promise.all(
    topics.map(async (topic, nth) => {
      const sentAt = []
      onMessage({ kind, socket: wallets[nth] }, (at) => times.push(performance.now() - sentAt[at]))
      const started = performance.now() + (everyMs * nth) / pairs
      for (let at = 0; at * everyMs < ms; at += 1) {
        await pause(Math.max(0, started + at * everyMs - performance.now()))
        sentAt.push(performance.now())
        publish({ kind, socket: pages[nth], topic, at })
        sent += 1
      }
    }),
  )
  for (let turn = 0; turn < 100 && times.length < sent; turn += 1) await pause(50)
  await close([...wallets, ...pages])
  return { times, lost: sent - times.length }
}

function publish({ kind, socket, topic, at }) {
  // Every message is different, because a relay stores identical messages only once.
  const message = `${String(at).padStart(8, '0')}${body}`
  if (kind === 'bare') socket.send(`{"topic":"${topic}","message":"${message}"}`)
  else
    socket.send(
      `{"id":${Date.now()}${String(at).padStart(6, '0')},"jsonrpc":"2.0","method":"irn_publish","params":{"topic":"${topic}","message":"${message}","ttl":300,"tag":1108}}`,
    )
}

/** Calls `listener` with the number of each message. Acknowledges it, which a bare server does not need. */
function onMessage({ kind, socket }, listener) {
  socket.on('message', (data) => {
    if (kind !== 'bare') {
      const head = data.latin1Slice(0, 80)
      if (!head.includes('irn_subscription')) return
      socket.send(`{"id":${head.slice(6, head.indexOf(','))},"jsonrpc":"2.0","result":true}`)
    }
    const at = data.indexOf('"message":"') + 11
    listener(Number(data.latin1Slice(at, at + 8)))
  })
}

async function openAll({ kind, port, topics }) {
  const sockets = []
  for (let from = 0; from < topics.length; from += 50)
    sockets.push(...(await Promise.all(topics.slice(from, from + 50).map((topic) => open({ kind, port, topic })))))
  return sockets
}

/** Opens a connection and, if `topic` is set, subscribes it to that topic. */
async function open({ kind, port, topic }) {
  const base = `ws://127.0.0.1:${port}`
  const query = kind === 'bare' ? `topic=${topic ?? ''}` : `projectId=bench&auth=${token(base)}`
  const socket = new WebSocket(`${base}/?${query}`, { perMessageDeflate: false })
  await once(socket, 'open')
  if (kind !== 'bare' && topic !== undefined) {
    socket.send(`{"id":1,"jsonrpc":"2.0","method":"irn_subscribe","params":{"topic":"${topic}"}}`)
    await once(socket, 'message')
  }
  return socket
}

async function close(sockets) {
  for (const socket of sockets) socket.terminate()
  await pause(200)
}

function newTopic() {
  return randomBytes(32).toString('hex')
}
