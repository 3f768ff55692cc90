import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, createProposer, createResponder, memoryStorage, type Socket } from '@latchkey/walletconnect'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { inMemoryProjects } from '../inMemoryDependencies.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { createMemoryRateLimiter } from '../rateLimits/memoryRateLimiter.ts'
import { createAuthenticator } from './authenticator.ts'
import { memoryMessageStore } from './messages/messageStore.ts'
import { createRelay } from './relay.ts'
import { createRelayWebSocketServer } from './webSocketServer.ts'

/**
 * Starts a relay that stores everything in memory. Killing the relay loses all data. Pass `port` to restart it on the same port.
 */
async function startRelay(port = 0): Promise<{ readonly port: number; kill(): Promise<void> }> {
  const rates = createMemoryRateLimiter(Date.now)
  const authenticator = createAuthenticator({
    projects: inMemoryProjects([]),
    rates,
    limits: { connections: 0, messages: 0 },
    now: Date.now,
  })
  const store = memoryMessageStore({ now: Date.now })
  const relay = createRelay({ store, authenticator, metrics: createMetrics(), log: () => {}, now: Date.now })
  const sockets = createRelayWebSocketServer({
    relay,
    authenticator,
    clientAddressOf: ({ socket }) => socket.remoteAddress,
  })
  const listener = createServer().on('upgrade', sockets.upgrade)
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve))
  return {
    port: (listener.address() as AddressInfo).port,
    async kill() {
      sockets.close()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

test('restarting the relay loses neither a pending approval nor a pending request', async () => {
  const first = await startRelay()
  const { port } = first
  const clientOf = (name: string) =>
    createClient({
      metadata: { name, description: '', url: 'https://shop.example', icons: [] },
      relay: `ws://127.0.0.1:${port}`,
      projectId: 'p',
      storage: memoryStorage(),
      connect: (url) => new WebSocket(url) as unknown as Socket,
    })
  const [page, wallet] = [await clientOf('Shop'), await clientOf('Pocket')]
  const proposer = createProposer(page.rpc, page.sessions)
  const responder = createResponder(wallet.rpc, wallet.sessions)
  const namespaces = {
    eip155: {
      chains: ['eip155:1'],
      methods: ['personal_sign'],
      events: [],
      accounts: [`eip155:1:0x${'11'.repeat(20)}`],
    },
  }
  const offer = await proposer.propose({ optionalNamespaces: { eip155: { ...namespaces.eip155 } } })
  const proposed = new Promise<number>((resolve) => responder.on('proposal', ({ id }) => resolve(id)))
  await responder.pair(offer.uri)
  const id = await proposed
  await first.kill()
  const second = await startRelay(port)
  const [session] = await Promise.all([offer.settled, responder.approve(id, { namespaces })])

  // The relay is killed between the request and the response.
  const question = new Promise<number>((resolve) => wallet.sessions.on('request', (request) => resolve(request.id)))
  const request = page.sessions.request(session.topic, { chainId: 'eip155:1', method: 'personal_sign', params: [] })
  const questionId = await question
  await second.kill()
  const third = await startRelay(port)
  await responder.respond({ topic: session.topic, id: questionId }, { result: '0x5167' })
  expect(await request).toBe('0x5167')
  page.close()
  wallet.close()
  await third.kill()
})
