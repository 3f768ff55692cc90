// Simulates a hostile address in a separate process. It calls a node that never responds, sends incomplete bodies, and opens
// relay clients that publish large messages and never read. `node hostileClients.mjs <port>` prints a summary of the responses.

import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { ask, newClient } from './honestClients.mjs'

const port = Number(process.argv[2])
const address = '203.0.113.250'
const statuses = new Map()
const note = (name) => statuses.set(name, (statuses.get(name) ?? 0) + 1)
const body = `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["${'x'.repeat(2_000_000)}"]}`
const calls = Array.from({ length: 400 }, () =>
  ask(port, '/v1/?chainId=eip155:10&projectId=x', { body, address, timeoutMs: 12_000 }).then(
    ({ status }) => note(`call ${status}`),
    () => note('call cut off'),
  ),
)
// Requests to the RPC proxy and the relay whose bodies are never completed.
const open = Array.from({ length: 400 }, (_, at) => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const path = at % 2 ? '/v1/?chainId=eip155:1&projectId=x' : '/rpc?projectId=x'
  socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${address}\r\ncontent-length: 2000000\r\n\r\n`)
  socket.write('x'.repeat(500_000))
  return socket
})
// Half of the sockets authenticate, publish large messages to the same topic and never read.
const base = `ws://127.0.0.1:${port}`
const topic = 'ab'.repeat(32)
const sockets = Array.from({ length: 200 }, (_, nth) => {
  const auth = nth % 2 ? 'nonsense' : newClient()(base)
  const socket = new WebSocket(`${base}/?projectId=x&useOnCloseEvent=true&auth=${auth}`, {
    headers: { 'x-forwarded-for': address },
  })
  const send = (id, method, params) =>
    socket.send(JSON.stringify({ id: `${nth}${id}`, jsonrpc: '2.0', method, params }))
  socket.on('error', () => note('upgrade refused'))
  socket.on('close', (code) => note(`relay ${code}`))
  socket.on('open', () => {
    socket.pause()
    send(1, 'irn_subscribe', { topic })
    for (let at = 2; at < 8; at += 1)
      send(at, 'irn_publish', { topic, message: `${nth} ${at} ${'x'.repeat(900_000)}`, ttl: 300, tag: 1 })
  })
  return socket
})
await Promise.all(calls)
await pause(1000)
for (const socket of open) socket.destroy()
for (const socket of sockets) socket.terminate()
console.log([...statuses].map(([name, count]) => `${count} × ${name}`).join(', '))
process.exit()
