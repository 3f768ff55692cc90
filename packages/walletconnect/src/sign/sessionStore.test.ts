import { expect, test } from 'vitest'
import { connectedPeers } from '../testing/peerPair.ts'
import { createSessionStore, requireSession } from './sessionStore.ts'

async function sessionStore() {
  const { dapp, session, clock, pageStorage } = await connectedPeers()
  const ended: unknown[] = []
  const create = () => createSessionStore(dapp.rpc, ({ topic }, reason) => ended.push([topic, reason]))
  return { create, session, clock, ended, storage: pageStorage }
}

test('a stored session is restored, and ends when it expires', async () => {
  const { create, session, clock, ended, storage } = await sessionStore()
  await storage.set(`session:${session.topic}`, { ...session, expiry: clock.now() / 1_000 + 10 })
  const store = create()
  await store.restore()
  expect(store.all()).toMatchObject([{ topic: session.topic, namespaces: session.namespaces }])
  await clock.pass(9_999)
  expect(ended).toEqual([])
  await clock.pass(1)
  expect(ended).toEqual([[session.topic, 'expired']])
  expect(store.all()).toEqual([])
})

test('invalid and expired sessions are deleted with their keys', async () => {
  const { create, session, storage } = await sessionStore()
  await storage.set(`session:${session.topic}`, { ...session, expiry: 1 })
  await storage.set('session:broken', { topic: 'broken' })
  const store = create()
  await store.restore()
  expect(store.all()).toEqual([])
  expect([await storage.list('session:'), await storage.list('key:')]).toEqual([[], []])
})

test('a session ends only once and is deleted', async () => {
  const { create, session, ended, storage } = await sessionStore()
  const store = create()
  await store.store(session)
  const reason = { code: 6000, message: 'User disconnected.' }
  await store.end(session, reason)
  await store.end(session, reason)
  expect(ended).toEqual([[session.topic, reason]])
  expect(await storage.list('session:')).toEqual([])
  expect(() => requireSession(store, session.topic)).toThrow(expect.objectContaining({ code: 'session/gone' }))
})

test('a removed session is not reported as ended', async () => {
  const { create, session, ended } = await sessionStore()
  const store = create()
  await store.store(session)
  await store.remove(session.topic)
  expect([store.get(session.topic), ended]).toEqual([undefined, []])
})
