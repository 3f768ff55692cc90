import { fakeClock } from '@latchkey/core/testing'
import { toBase64Url } from '@latchkey/protocol/bytes'
import { seededEnvironment } from '@latchkey/vault/testing'
import { expect, test } from 'vitest'
import { createHandoverCipher, generateHandoverKey, parseHandoverKey } from './handoverCipher.ts'

const environment = seededEnvironment(71, fakeClock())

async function pair() {
  const key = generateHandoverKey(environment)
  const [frame, window] = await Promise.all([
    createHandoverCipher(environment, key),
    createHandoverCipher(environment, key),
  ])
  return { key, frame, window }
}

test('the key from the URL is enough for the frame and the window to decrypt each other’s messages', async () => {
  const { key, frame, window } = await pair()
  expect(parseHandoverKey(toBase64Url(key))).toEqual(key)
  expect(window.id).toBe(frame.id)
  const question = { asks: 'é', list: [1, null] }
  expect(await window.unsealRequest(await frame.sealRequest(question))).toEqual(question)
  expect(await frame.unsealResponse(await window.sealResponse({ yes: true }))).toEqual({ yes: true })
})

test('messages can be neither read nor written without the key, which the server does not have', async () => {
  const { key, frame } = await pair()
  const other = (await pair()).window
  const sealed = await frame.sealRequest({ secret: 'of the page' })
  expect(await other.unsealRequest(sealed)).toBeUndefined()
  expect(await frame.unsealResponse(await other.sealResponse({ forged: true }))).toBeUndefined()
  for (const text of [frame.id, sealed]) expect(text).not.toContain(toBase64Url(key).slice(0, 20))
})

test('rejects modified messages and does not accept a request as a response', async () => {
  const { frame, window } = await pair()
  const sealed = await frame.sealRequest({ asks: 'a' })
  expect(await frame.unsealResponse(sealed)).toBeUndefined()
  for (const at of [0, 15, 20, 40, sealed.length - 2]) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`
    expect(await window.unsealRequest(changed), String(at)).toBeUndefined()
  }
  for (const text of ['', 'AAAA', sealed.slice(0, 30)]) expect(await window.unsealRequest(text)).toBeUndefined()
})

test.each(['', 'a', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}!`])('%j is not a valid key', (fragment) => {
  expect(parseHandoverKey(fragment)).toBeUndefined()
})
