import { afterEach, expect, test, vi } from 'vitest'
import { fakeClock, fakeFetch } from '../testing/index.ts'
import './analyticsClient.ts'
import { createAnalyticsQueue } from './analyticsQueue.ts'

function queueOf() {
  const server = fakeFetch({ '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }), '/e': () => ({}) })
  const clock = fakeClock()
  const queue = createAnalyticsQueue({
    client: {
      url: 'https://connect.example',
      projectId: 'test',
      fetch: server.fetch,
      clock,
      address: () => undefined,
      network: () => undefined,
      refused: () => {},
    },
    log: { error() {} },
  })
  const sent = () => server.to('/e').map(({ body }) => body as { timestamp: number; props: { event: string } })
  return { ...queue, server, clock, sent }
}
afterEach(() => {
  vi.unstubAllGlobals()
})

const opened = { event: 'MODAL_OPEN', properties: { connected: false } } as const

test('no requests are sent until the user first opens the modal, and then the latest 20 events are sent with their timestamps', async () => {
  const { track, server, clock, sent } = queueOf()
  for (let count = 0; count < 25; count++) track({ event: 'CLICK_NETWORKS' })
  await clock.pass(1_000)
  expect(server.calls).toEqual([])
  track(opened)
  await clock.pass(0)
  await vi.waitFor(() => expect(sent()).toHaveLength(20))
  const opening = sent().filter(({ props }) => props.event === 'MODAL_OPEN')
  expect(opening).toMatchObject([{ timestamp: clock.now() }])
  expect(sent().filter(({ timestamp }) => timestamp === clock.now() - 1_000)).toHaveLength(19)
  track({ event: 'CLICK_NETWORKS' })
  await vi.waitFor(() => expect(sent()).toHaveLength(21))
})

test('the client is loaded once the browser is idle, and then also sends the errors that were reported after the first click', async () => {
  const whenIdle: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (task: () => void) => whenIdle.push(task))
  const { track, report, server, clock, sent } = queueOf()
  report('before the first click', undefined)
  track(opened)
  report('after the first click', undefined)
  await clock.pass(10_000)
  expect(server.calls).toEqual([])
  for (const task of whenIdle) task()
  await vi.waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent().map(({ props }) => props)).toMatchObject([
    { event: 'MODAL_OPEN' },
    { type: 'error', properties: { errorMessage: 'after the first click' } },
  ])
})

test('nothing is sent after the queue has stopped or if analytics is off', async () => {
  const stopped = queueOf()
  stopped.track(opened)
  stopped.stop()
  await stopped.clock.pass(0)
  expect(stopped.server.calls).toEqual([])
  const off = createAnalyticsQueue({ client: undefined, log: { error() {} } })
  expect(() => off.track(opened)).not.toThrow()
})
