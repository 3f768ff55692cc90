import { fakeClock } from '@latchkey/core/testing'
import { toBase64Url } from '@latchkey/protocol/bytes'
import { expect, test } from 'vitest'
import { seededEnvironment } from '../keys/testing/seededEnvironment.ts'
import { handoverKeyOf, handoverSeals, newHandoverKey } from './seals.ts'

const environment = seededEnvironment(71, fakeClock())

async function pair() {
  const key = newHandoverKey(environment)
  const [frame, window] = await Promise.all([handoverSeals(environment, key), handoverSeals(environment, key)])
  return { key, frame, window }
}

test('frame and window read each other by the key of the address alone', async () => {
  const { key, frame, window } = await pair()
  expect(handoverKeyOf(toBase64Url(key))).toEqual(key)
  expect(window.id).toBe(frame.id)
  const question = { asks: 'é', list: [1, null] }
  expect(await window.unsealQuestion(await frame.sealQuestion(question))).toEqual(question)
  expect(await frame.unsealAnswer(await window.sealAnswer({ yes: true }))).toEqual({ yes: true })
})

test('whoever has no key of it, as the server, neither reads nor writes', async () => {
  const { key, frame } = await pair()
  const other = (await pair()).window
  const sealed = await frame.sealQuestion({ secret: 'of the page' })
  expect(await other.unsealQuestion(sealed)).toBeUndefined()
  expect(await frame.unsealAnswer(await other.sealAnswer({ forged: true }))).toBeUndefined()
  for (const text of [frame.id, sealed]) expect(text).not.toContain(toBase64Url(key).slice(0, 20))
})

test('a question is no answer, and neither survives a change', async () => {
  const { frame, window } = await pair()
  const sealed = await frame.sealQuestion({ asks: 'a' })
  expect(await frame.unsealAnswer(sealed)).toBeUndefined()
  for (const at of [0, 15, 20, 40, sealed.length - 2]) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`
    expect(await window.unsealQuestion(changed), String(at)).toBeUndefined()
  }
  for (const text of ['', 'AAAA', sealed.slice(0, 30)]) expect(await window.unsealQuestion(text)).toBeUndefined()
})

test.each(['', 'a', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}!`])('%j is no key', (fragment) => {
  expect(handoverKeyOf(fragment)).toBeUndefined()
})
