import { expect, test } from 'vitest'
import { fakeClock, fakeFetch } from '../testing/index.ts'
import { createAnalytics } from './analyticsClient.ts'

function reporting() {
  const server = fakeFetch({ '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }), '/e': () => ({}) })
  const clock = fakeClock()
  const analytics = createAnalytics({
    url: 'https://connect.example',
    projectId: 'test',
    fetch: server.fetch,
    clock,
    address: () => undefined,
    network: () => undefined,
    refused: () => {},
  })
  return { analytics, clock, sent: () => server.to('/e').map(({ body }) => JSON.stringify(body)) }
}

const stacks = {
  Chromium: [
    'TypeError: anna@shop.example paid from 0x8ba1f109551bD432803012645Ac136ddd64DBA72',
    'and wrote two lines',
    '    at pay (https://shop.example/assets/pay.js?session=s3cret:10:5)',
    '    at https://shop.example/assets/app.js#frag:1:200',
  ].join('\n'),
  Firefox: [
    'pay@https://shop.example/assets/pay.js?session=s3cret:10:5',
    '@https://shop.example/assets/app.js:1:200',
  ].join('\n'),
}

test.each(Object.entries(stacks))(
  'an error report from %s contains code locations but no other data from the host page',
  async (_, stack) => {
    const { analytics, clock, sent } = reporting()
    const cause = Object.assign(new TypeError('anna@shop.example paid'), { stack })
    analytics.report('A listener failed.', cause)
    await clock.pass(0)
    expect(sent()).toHaveLength(1)
    expect(sent()[0]).toContain('/assets/pay.js:10:5')
    expect(sent()[0]).toContain('/assets/app.js')
    expect(sent()[0]).not.toMatch(/anna|0x8ba1|two lines|s3cret|frag/)
  },
)

test('an error that has no readable stack is reported without a stack', async () => {
  const { analytics, clock, sent } = reporting()
  analytics.report('It broke.', Object.assign(new Error('x'), { stack: 7 }))
  analytics.report('It broke.', 'a text')
  await clock.pass(0)
  expect(sent()).toHaveLength(2)
})

test('refused() is called on the first 403 response, and again only after events have been accepted [R8.13]', async () => {
  let status = 200
  let refusals = 0
  const server = fakeFetch({
    '/getAnalyticsConfig': () => ({ isAnalyticsEnabled: true }),
    '/e': () => new Response('', { status }),
  })
  const clock = fakeClock()
  const analytics = createAnalytics({
    url: 'https://connect.example',
    projectId: 'test',
    fetch: server.fetch,
    clock,
    address: () => undefined,
    network: () => undefined,
    refused: () => void refusals++,
  })
  const after = async (next: number) => {
    status = next
    analytics.track({ event: 'MODAL_OPEN', properties: { connected: false } })
    await clock.pass(0)
    return refusals
  }
  for (const other of [200, 400, 401, 404, 429, 500, 503]) expect([other, await after(other)]).toEqual([other, 0])
  expect([await after(403), await after(403), await after(500), await after(403)]).toEqual([1, 1, 1, 1])
  expect([await after(200), await after(403)]).toEqual([1, 2])
})
