// Simulates honest users, who send requests over HTTP and through the relay. Records the responses, and any acknowledged data
// that was lost.

import { generateKeyPairSync, sign } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { toBase58 } from '@latchkey/protocol/bytes'
import { writeMessage } from '@latchkey/siwx/message'
import { signWith } from '@latchkey/siwx/testing'
import { WebSocket } from 'ws'

export const keysHost = 'keys.shop.localhost'
const agent = new Agent({ keepAlive: true, maxSockets: 1000 })
const patienceMs = 15_000
const shop = 'https://shop.example'
let nth = 0

export function ask(port, path, { body, headers = {}, address = '127.0.0.1', timeoutMs = patienceMs } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...headers, 'x-forwarded-for': address },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode, text, headers: response.headers }))
        response.on('error', reject)
      },
    )
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error('no answer')))
    sent.on('error', reject)
    sent.end(body)
  })
}

export const endAgent = () => agent.destroy()

const keysHeaders = {
  host: keysHost,
  origin: `http://${keysHost}`,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
}

/** Functions that send a request, keyed by the kind of request. Every request comes from a different user. */
const visits = {
  directory: ({ port, address }) => ask(port, '/getWallets?projectId=x&st=a&sv=b&entries=4', { address }),
  RPC: ({ port, address }) =>
    ask(port, '/v1/?chainId=eip155:1&projectId=x', {
      address,
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}',
    }),
  'email code': ({ port, address }) => {
    nth += 1
    return ask(port, '/vault/email', { address, body: `{"email":"v${nth}@shop.example"}`, headers: keysHeaders })
  },
  'sign-in': async ({ port, address, signedIn }) => {
    nth += 1
    const nonce = await ask(port, '/auth/v1/nonce?projectId=x', { address, headers: { origin: shop } })
    if (nonce.status !== 200) return nonce
    const issued = JSON.parse(nonce.text)
    const signer = signWith('eip155', (nth % 200) + 1)
    const account = signer.account('eip155:1')
    const now = Date.now()
    const message = writeMessage({
      domain: 'shop.example',
      uri: shop,
      version: '1',
      nonce: issued.nonce,
      chainId: 'eip155:1',
      accountAddress: account.split(':')[2],
      issuedAt: new Date(now - 90_000).toISOString(),
      expirationTime: new Date(now + 86_400_000).toISOString(),
    })
    const answer = await ask(port, '/auth/v1/authenticate?projectId=x', {
      address,
      headers: { origin: shop, 'content-type': 'application/json', 'x-nonce-jwt': `Bearer ${issued.token}` },
      body: JSON.stringify({ message, signature: await signer.sign(message), clientId: null }),
    })
    if (answer.status === 200) signedIn(JSON.parse(answer.text).token)
    return answer
  },
}

export const isSignedIn = async (port, token) =>
  (
    await ask(port, '/auth/v1/me?projectId=x', {
      address: '198.51.100.250',
      headers: { origin: shop, authorization: `Bearer ${token}` },
    })
  ).status

/** Creates the identity of a relay client. Returns a function that signs a token for the relay at `aud`. */
export function newClient() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const iss = `did:key:z${toBase58(Uint8Array.from([0xed, 1, ...raw]))}`
  return (aud) => {
    // The benchmark can set the server's clock back by a minute, so the token's issue time is in the past.
    const iat = Math.floor(Date.now() / 1000) - 90
    const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const content = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part({ iss, sub: '00', aud, iat, exp: iat + 86_400 })}`
    return `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`
  }
}

/** Creates a relay client that reconnects when its connection closes. Each attempt uses the next instance. */
function createClient({ ports, address, heard: onMessage = () => {}, onEnd }) {
  const token = newClient()
  const topics = new Set()
  const waiting = new Map()
  let [socket, isOver, turn, id] = [undefined, false, 0, 0]

  const call = (method, params) => {
    if (socket?.readyState !== WebSocket.OPEN) return Promise.resolve('not connected')
    id += 1
    const own = `${Date.now()}${String(id).padStart(6, '0')}`
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        waiting.delete(own)
        resolve('no answer')
      }, patienceMs)
      waiting.set(own, (answer) => {
        clearTimeout(late)
        resolve(answer)
      })
      socket.send(JSON.stringify({ id: own, jsonrpc: '2.0', method, params }))
    })
  }
  const connect = () => {
    const base = `ws://127.0.0.1:${ports()[turn % ports().length]}`
    const made = new WebSocket(`${base}/?projectId=x&useOnCloseEvent=true&auth=${token(base)}`, {
      perMessageDeflate: false,
      headers: { 'x-forwarded-for': address },
      handshakeTimeout: 5000,
    })
    socket = made
    let wasOpen = false
    made.on('open', async () => {
      wasOpen = true
      // Like a wallet, the client subscribes again until the relay has accepted the subscription.
      while (!isOver && made === socket && topics.size > 0 && made.readyState === WebSocket.OPEN) {
        if ((await call('irn_batchSubscribe', { topics: [...topics] })) === 'ok') break
        await pause(300)
      }
    })
    made.on('message', (data) => {
      const frame = JSON.parse(String(data))
      if (frame.method === 'irn_subscription') {
        onMessage(frame.params.data.message)
        made.send(`{"id":${JSON.stringify(frame.id)},"jsonrpc":"2.0","result":true}`)
        return
      }
      const done = waiting.get(String(frame.id))
      waiting.delete(String(frame.id))
      done?.(frame.error ? String(frame.error.data ?? frame.error.code) : 'ok')
    })
    made.on('error', () => {})
    made.on('close', (code) => {
      if (made !== socket) return
      for (const done of waiting.values()) done('cut off')
      waiting.clear()
      if (isOver) return
      if (wasOpen) onEnd(code)
      turn += 1
      setTimeout(() => isOver || connect(), 250)
    })
  }
  connect()
  return {
    call,
    /** Subscribes to a topic. Each new connection subscribes to the topic again. */
    async listen(topic) {
      topics.add(topic)
      for (;;) {
        if ((await call('irn_batchSubscribe', { topics: [topic] })) === 'ok') return
        await pause(100)
      }
    },
    isOpen: () => socket.readyState === WebSocket.OPEN,
    end() {
      isOver = true
      socket.terminate()
    },
  }
}

/**
 * Sends requests to every instance until `end()` is called. `ports` returns the instances' current ports. Responses are counted
 * by name, and the time of the last error is recorded.
 */
export async function startLoad({ ports, kinds = Object.keys(visits), relay = true, gapMs = 20 }) {
  const counts = new Map()
  const slowest = new Map()
  const sessions = []
  const sent = new Map()
  let [isOver, lastBadAt, arrived, latestMs] = [false, Number.NEGATIVE_INFINITY, 0, 0]
  const saw = (name, isBad) => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (isBad) lastBadAt = performance.now()
  }

  const visiting = ports().flatMap((_, at) =>
    kinds.map(async (kind, number) => {
      let count = 0
      while (!isOver) {
        count += 1
        const address = `198.${18 + at}.${number * 20 + (Math.floor(count / 250) % 20)}.${1 + (count % 250)}`
        const started = performance.now()
        const { status } = await visits[kind]({
          port: ports()[at],
          address,
          signedIn: (token) => void sessions.push(token),
        }).catch((error) => ({ status: error.message === 'no answer' ? 'no answer' : 'cut off or refused' }))
        saw(`${kind} ${status}`, ![200, 429].includes(status))
        slowest.set(kind, Math.max(slowest.get(kind) ?? 0, performance.now() - started))
        await pause(gapMs)
      }
    }),
  )

  const clients = []
  const publishing = []
  if (relay) {
    const places = ports().flatMap((_, from) => ports().map((_, to) => [from, to]))
    for (const [number, [from, to]] of places.entries()) {
      const topic = Array.from({ length: 64 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
      const order = (first) => () => [...ports().slice(first), ...ports().slice(0, first)]
      const common = { onEnd: (code) => saw(`relay closed ${code}`, true) }
      const wallet = createClient({
        ...common,
        ports: order(to),
        address: `203.0.113.${number * 2 + 1}`,
        onMessage(message) {
          const entry = sent.get(message)
          if (!entry || entry.heardAt !== undefined) return
          entry.heardAt = performance.now()
          arrived += 1
        },
      })
      const page = createClient({ ...common, ports: order(from), address: `203.0.113.${number * 2 + 2}` })
      clients.push(wallet, page)
      await wallet.listen(topic)
      publishing.push(
        (async () => {
          for (let count = 0; !isOver; count += 1) {
            const message = `${topic.slice(0, 8)} ${count} ${'x'.repeat(200)}`
            const entry = { receivedAt: undefined, acknowledgedAt: undefined }
            sent.set(message, entry)
            const answer = await page.call('irn_publish', { topic, message, ttl: 300, tag: 1108 })
            if (answer === 'ok') entry.acknowledgedAt = performance.now()
            saw(`relay ${answer}`, answer !== 'ok')
            await pause(answer === 'ok' ? 40 : 200)
          }
        })(),
      )
    }
  }
  const missing = () =>
    [...sent.values()].filter(({ acknowledgedAt, heardAt: receivedAt }) => acknowledgedAt && !receivedAt).length

  return {
    lastBadAt: () => lastBadAt,
    /** Resolves to whether a request is rejected with 503 within 30 seconds. */
    async refuses() {
      const refused = () => [...counts].reduce((sum, [key, count]) => sum + (key.endsWith(' 503') ? count : 0), 0)
      const [before, until] = [refused(), performance.now() + 30_000]
      while (refused() === before && performance.now() < until) await pause(20)
      return refused() > before
    },
    sessions,
    /** Stops sending requests and resolves to the results. */
    async end({ arriveMs = 20_000 } = {}) {
      isOver = true
      await Promise.all([...visiting, ...publishing])
      const until = performance.now() + arriveMs
      while (missing() > 0 && performance.now() < until) await pause(50)
      for (const { acknowledgedAt, heardAt: receivedAt } of sent.values())
        if (acknowledgedAt && receivedAt) latestMs = Math.max(latestMs, receivedAt - acknowledgedAt)
      const acknowledged = [...sent.values()].filter((entry) => entry.acknowledgedAt).length
      const lost = missing()
      for (const client of clients) client.end()
      return { counts, slowest, acknowledged, arrived, lost, latestMs, sessions }
    },
  }
}
