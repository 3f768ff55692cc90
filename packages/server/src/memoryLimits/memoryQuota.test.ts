import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { readConfig } from '../config/readConfig.ts'
import { type RunningServer, startServer } from '../startServer.ts'
import { relayToken } from '../testing/relayToken.ts'

let folder: string
let running: RunningServer
const node = createServer((incoming, answer) => {
  incoming.resume().on('end', () => answer.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'))
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-held-'))
  node.listen(0, '127.0.0.1')
  await once(node, 'listening')
  const env = {
    DATA_DIR: folder,
    PORT: '0',
    CLIENT_ADDRESS_HEADER: 'x-forwarded-for',
    RPC_URLS: `eip155:1=http://127.0.0.1:${(node.address() as AddressInfo).port}`,
    RPC_REQUEST_BYTES: '200000',
    RPC_RESPONSE_BYTES: '1024',
    MAX_BYTES_PER_ADDRESS: '1600000',
  }
  running = await startServer({ config: readConfig(env), log: () => {} })
}, 60_000)

afterAll(async () => {
  await running?.stop()
  node.close()
  await rm(folder, { recursive: true })
})

const topic = 'ab'.repeat(32)

async function connect(address: string) {
  const base = running.url.replace('http', 'ws')
  const socket = new WebSocket(`${base}/?projectId=x&auth=${relayToken(Date.now(), { aud: base })}`, {
    headers: { 'x-forwarded-for': address },
  })
  const frames: { id: unknown; result?: unknown; error?: unknown; params?: { data: { message: string } } }[] = []
  socket.on('message', (data) => void frames.push(JSON.parse(String(data))))
  const [response] = await Promise.all([once(socket, 'upgrade'), once(socket, 'open')])
  return {
    frames,
    pong: once(socket, 'pong'),
    /** The TCP socket of the WebSocket connection. */
    raw: (response[0] as { socket: Socket }).socket,
    close: () => socket.terminate(),
    call: async (method: string, params: unknown) => {
      const id = String(Math.random())
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', method, params }))
      await expect.poll(() => frames.find((frame) => frame.id === id), { timeout: 10_000 }).toBeDefined()
      return frames.find((frame) => frame.id === id)
    },
  }
}

const ask = async (address: string, bytes: number): Promise<number> => {
  const answer = await fetch(`${running.url}/v1/?chainId=eip155:1&projectId=x`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: ['x'.repeat(bytes)] }),
  })
  await answer.text()
  return answer.status
}

test('memory used by the relay and by an address’s requests counts toward one quota, and a large message arrives complete', async () => {
  const [address, elsewhere] = ['203.0.113.7', '203.0.113.8']
  const [wallet, page, partial] = await Promise.all([connect(elsewhere), connect(address), connect(address)])
  await wallet.call('irn_subscribe', { topic })
  const message = `${'é'.repeat(250_000)}${'x'.repeat(250_000)}`
  expect(await page.call('irn_publish', { topic, message, ttl: 300, tag: 1108 })).toHaveProperty('result')
  await expect.poll(() => wallet.frames.at(-1)?.params?.data.message, { timeout: 10_000 }).toBe(message)
  expect(await ask(address, 190_000)).toBe(200)
  // The message is stored until it is acknowledged and takes up 750,000 bytes. The first part of another message exceeds the
  // quota. The server has read that part when it answers the ping that follows.
  partial.raw.write(Buffer.from([0x01, 0xff, 0, 0, 0, 0, 0, 0x09, 0xeb, 0x10, 0, 0, 0, 0]))
  partial.raw.write(Buffer.concat([Buffer.alloc(650_000, 'x'), Buffer.from([0x89, 0x80, 0, 0, 0, 0])]))
  await partial.pong
  expect(await ask(address, 190_000)).toBe(429)
  expect(await ask(elsewhere, 190_000)).toBe(200)
  partial.close()
  await expect.poll(() => ask(address, 190_000), { timeout: 10_000 }).toBe(200)
  page.close()
  wallet.close()
}, 60_000)
