import { expect, test } from 'vitest'
import { connectedPeers, next } from './testing/peerPair.ts'

test('a client stores its own seed, and stores a key, data and handled IDs for each session until the session ends', async () => {
  const { dapp, wallet, responder, session, pageStorage, walletStorage } = await connectedPeers()
  wallet.sessions.on('request', ({ id, session: { topic } }) => void responder.respond({ topic, id }, { result: '0x' }))
  await dapp.sessions.request(session.topic, { chainId: 'eip155:1', method: 'personal_sign', params: [] })
  const names = async (): Promise<readonly string[][]> =>
    Promise.all(
      [pageStorage, walletStorage].map(async (records) => (await records.list('')).map(([key]) => key).sort()),
    )
  const { topic } = session
  const ofSession = [`handled:${topic}`, `key:${topic}`, 'seed', `session:${topic}`]
  expect(await names()).toEqual([ofSession, ofSession])
  const ended = next((listener) => wallet.sessions.on('ended', listener))
  await dapp.sessions.disconnect(topic)
  await ended
  expect(await names()).toEqual([['seed'], ['seed']])
})
