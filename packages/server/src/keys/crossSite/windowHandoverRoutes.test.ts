import { randomBytes } from 'node:crypto'
import { handoverLifeMs, maxHandoverBytes } from '@latchkey/protocol/http/keys/crossSite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startKeys, type TestKeys } from '../../testing/keysServer.ts'

let keys: TestKeys
beforeAll(async () => {
  keys = await startKeys()
}, 60_000)
afterAll(() => keys?.close())

const newId = () => randomBytes(32).toString('base64url')
let networks = 0
/** Returns a browser with its own IP address. */
const browser = () => keys.browser(`198.51.100.${(networks += 1)}`)

async function offered(sealed = 'question') {
  const [frame, window] = [browser(), browser()]
  const id = newId()
  const { body } = await frame.send('POST', '/vault/handovers', { id, sealed })
  const at = (what: string) => `/vault/handovers/${id}/${what}`
  return {
    frame,
    window,
    id,
    secret: body.secret as string,
    claim: () => window.send('POST', at('claim'), {}),
    wait: (seen: string, secret = body.secret) => frame.send('POST', at('wait'), { secret, seen }),
    step: (secret: string, state: string, answer?: string) =>
      window.send('POST', at('step'), { secret, state, ...(answer !== undefined && { sealed: answer }) }),
    end: (secret = body.secret) => frame.send('POST', at('end'), { secret }),
  }
}

test('a request goes to the first window that claims it, and its response goes only to the frame', async () => {
  const { claim, wait, step, secret } = await offered()
  const { body } = await claim()
  expect(body).toMatchObject({ sealed: 'question' })
  expect(await claim()).toMatchObject({ status: 409, body: { code: 'handover/taken' } })
  expect((await wait('waiting')).body).toEqual({ state: 'claimed', sealed: null })
  const doing = wait('claimed')
  expect((await step(body.secret, 'doing')).status).toBe(200)
  expect((await doing).body.state).toBe('doing')
  expect((await step(body.secret, 'answered', 'answer')).status).toBe(200)
  expect((await wait('doing', body.secret)).body).toEqual({ state: 'answered', sealed: null })
  // If a response is lost, the frame polls again.
  for (let times = 2; times > 0; times -= 1)
    expect((await wait('doing', secret)).body).toEqual({ state: 'answered', sealed: 'answer' })
})

test('a request cannot be answered, read or ended without its secret', async () => {
  const { claim, wait, step, end, secret } = await offered()
  const claimed = (await claim()).body.secret
  for (const other of [newId(), secret]) expect((await step(other, 'answered', 'forged')).status).toBe(404)
  expect((await wait('waiting', newId())).status).toBe(404)
  await end(newId())
  await end(claimed)
  expect((await wait('waiting')).body.state).toBe('claimed')
})

test('a cancelled request is not executed, and a request in progress cannot be cancelled', async () => {
  const early = await offered()
  const { secret } = (await early.claim()).body
  expect((await early.end()).status).toBe(200)
  expect(await early.step(secret, 'doing')).toMatchObject({ status: 404, body: { code: 'handover/unknown' } })

  const late = await offered()
  const claimed = (await late.claim()).body.secret
  await late.step(claimed, 'doing')
  expect(await late.end()).toMatchObject({ status: 409, body: { code: 'handover/taken' } })
  // Closing the window does not cancel the request either.
  expect((await late.step(claimed, 'closed')).status).toBe(404)
  await late.step(claimed, 'answered', 'done')
  expect((await late.wait('doing')).body).toEqual({ state: 'answered', sealed: 'done' })
  expect((await late.end()).status).toBe(200)
  expect((await late.wait('doing')).status).toBe(404)
})

test('a window waits for a request that has not arrived yet, but only for a limited time', async () => {
  const [frame, window] = [browser(), browser()]
  const id = newId()
  const claiming = window.send('POST', `/vault/handovers/${id}/claim`, {})
  await frame.send('POST', '/vault/handovers', { id, sealed: 'late' })
  keys.pass(1_000)
  expect((await claiming).body.sealed).toBe('late')
  const never = window.send('POST', `/vault/handovers/${newId()}/claim`, {})
  let isOver = false
  void never.then(() => {
    isOver = true
  })
  while (!isOver) {
    keys.pass(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await never).status).toBe(404)
})

test('a request that arrives just after the window’s first lookup is still claimed', async () => {
  const [frame, window] = [browser(), browser()]
  const id = newId()
  const { use } = keys.connection
  let offering: Promise<unknown> | undefined
  // Runs between the two statements of a claim, after the update has matched no row.
  const between = vi.spyOn(keys.connection, 'use').mockImplementation(async (work) => {
    const answer = await use(work)
    if (offering || !Array.isArray(answer) || answer.length > 0 || !isClaiming) return answer
    offering = frame.send('POST', '/vault/handovers', { id, sealed: 'between' })
    await offering
    return answer
  })
  let isClaiming = true
  try {
    const { status, body } = await window.send('POST', `/vault/handovers/${id}/claim`, {})
    expect([status, body.sealed]).toEqual([200, 'between'])
  } finally {
    isClaiming = false
    between.mockRestore()
  }
})

test('a request expires after ten minutes and is deleted', async () => {
  const { claim, wait, id } = await offered()
  keys.pass(handoverLifeMs + 1)
  expect((await wait('waiting')).status).toBe(404)
  await keys.server.sweep()
  const rows = await keys.connection.use((database) =>
    database.execute(`select id from vault_handovers where id = '${id}'`),
  )
  expect((rows as unknown as { rows: unknown[] }).rows).toEqual([])
  void claim
})

test('requests are limited in size and number, and large requests are limited more strictly', async () => {
  const sender = browser()
  const post = (sealed: string) => sender.send('POST', '/vault/handovers', { id: newId(), sealed })
  expect((await post('a'.repeat(maxHandoverBytes))).status).toBe(200)
  expect((await post('a'.repeat(maxHandoverBytes + 1))).status).toBe(400)
  expect((await post('a'.repeat(maxHandoverBytes + 10_000))).status).toBe(400)
  expect((await post('not base64url!')).status).toBe(400)
  const large = await Promise.all(Array.from({ length: 12 }, () => post('a'.repeat(20_000))))
  expect(large.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  expect((await post('small')).status).toBe(200)
  const small = await Promise.all(Array.from({ length: 130 }, () => post('small')))
  expect(small.at(-1)).toMatchObject({ status: 429, body: { code: 'limit/reached' } })
  expect((await browser().send('POST', '/vault/handovers', { id: newId(), sealed: 'other' })).status).toBe(200)
})

test('a single IP address block cannot use up the global limit', async () => {
  const countAccepted = async (count: number, address: (at: number) => string): Promise<number> => {
    keys.pass(handoverLifeMs + 1)
    const sealed = 'a'.repeat(20_000)
    const post = (at: number) => keys.browser(address(at)).send('POST', '/vault/handovers', { id: newId(), sealed })
    const all = await Promise.all(Array.from({ length: count }, (_, at) => post(at)))
    return all.filter(({ status }) => status === 200).length
  }
  // An IPv6 /56 has the allowance of four networks, a /48 has that of eight, and a block can use at most half of the total.
  expect(await countAccepted(50, (at) => `2001:db8:1:${(at % 25).toString(16)}::1`)).toBe(40)
  expect(await countAccepted(100, (at) => `2001:db8:2:${(at % 50).toString(16)}00::1`)).toBe(80)
  expect(await countAccepted(150, (at) => `198.18.0.${at % 30}`)).toBe(100)
}, 60_000)

test('the number of claims from a network and the number of polls for a request are limited', async () => {
  keys.pass(handoverLifeMs + 1)
  const { id, claim, wait } = await offered()
  await claim()
  const counted = async (
    count: number,
    call: (at: number) => Promise<{ readonly status: number }>,
  ): Promise<number> => {
    let passed = 0
    for (let offset = 0; offset < count; offset += 100) {
      const some = await Promise.all(Array.from({ length: 100 }, (_, at) => call(offset + at)))
      passed += some.filter(({ status }) => status !== 429).length
    }
    return passed
  }
  // An IPv6 /56 has the allowance of four networks.
  const from = (at: number) => keys.browser(`2001:db8:3:${(at % 5).toString(16)}::1`)
  expect(await counted(1_000, (at) => from(at).send('POST', `/vault/handovers/${id}/claim`, {}))).toBe(960)
  expect(await counted(400, () => wait('waiting'))).toBe(300)
}, 60_000)

test('only documents from the keys origin can create or claim requests', async () => {
  const sender = browser()
  for (const headers of [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site', origin: 'https://shop.example' },
  ])
    for (const path of ['/vault/handovers', `/vault/handovers/${newId()}/claim`])
      expect(await sender.send('POST', path, { id: newId(), sealed: 'a' }, headers)).toMatchObject({
        status: 403,
        body: { code: 'origin/refused' },
      })
})

test('the ID of a request cannot be reused', async () => {
  const { frame, id, claim } = await offered('first')
  expect((await frame.send('POST', '/vault/handovers', { id, sealed: 'second' })).status).toBe(409)
  expect((await claim()).body.sealed).toBe('first')
})
