import { createHash } from 'node:crypto'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { primitives } from '../crypto/primitives.ts'
import { requestAttestation } from './requestAttestation.ts'

const id = createHash('sha256').update('sealed').digest('hex')
const jwt = (about: string): string => `h.${Buffer.from(JSON.stringify({ id: about })).toString('base64url')}.s`

/** Requests an attestation in a minimal window. `sendMessage` sends a message from the verify service. */
async function startRequest() {
  const clock = fakeClock()
  const listeners = new Set<(event: object) => void>()
  const frames: { src: string; contentWindow: object; attributes: Map<string, string> }[] = []
  let placed: () => void = () => {}
  const isThere = new Promise<void>((resolve) => {
    placed = resolve
  })
  const page = {
    location: { origin: 'https://shop.example' },
    document: {
      createElement: () => {
        const attributes = new Map<string, string>()
        const frame = {
          src: '',
          contentWindow: {},
          attributes,
          setAttribute: (name: string, value: string) => attributes.set(name, value),
          remove: () => frames.splice(frames.indexOf(frame), 1),
        }
        return frame
      },
      body: {
        append: (frame: (typeof frames)[number]) => {
          frames.push(frame)
          placed()
        },
      },
    },
    addEventListener: (_: string, listener: (event: object) => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: (event: object) => void) => listeners.delete(listener),
  } as unknown as Window
  const answer = requestAttestation({
    verify: 'https://verify.example',
    message: 'sealed',
    projectId: 'p',
    crypto: await primitives(),
    clock,
    page,
  })
  await isThere
  const [frame] = frames
  const sendMessage = (fields: object): void => {
    const event = { source: frame?.contentWindow, origin: 'https://verify.example', data: '', ...fields }
    for (const listener of listeners) listener(event)
  }
  const messageWith = (attestation: string | null): string =>
    JSON.stringify({ type: 'verify_attestation', attestation })
  return { answer, clock, frames, frame, listeners, sendMessage, messageWith }
}

test('an attestation of this page and message is requested from the verify service, and its iframe is removed afterwards', async () => {
  const { answer, frame, frames, listeners, sendMessage, messageWith } = await startRequest()
  const { origin, pathname, searchParams } = new URL(frame?.src ?? '')
  expect([origin, pathname]).toEqual(['https://verify.example', '/v3/attestation'])
  expect(Object.fromEntries(searchParams)).toEqual({ projectId: 'p', origin: 'https://shop.example', id })
  sendMessage({ data: messageWith(jwt(id)) })
  expect(await answer).toBe(jwt(id))
  expect([frames.length, listeners.size]).toEqual([0, 0])
})

test('invalid messages and messages from other windows or origins are ignored', async () => {
  const { answer, sendMessage, messageWith } = await startRequest()
  sendMessage({ data: messageWith('evil'), source: {} })
  sendMessage({ data: messageWith('evil'), origin: 'https://evil.example' })
  for (const data of ['', '{', '{}', '{"type":"verify_attestation"}', { type: 'verify_attestation' }, 7])
    sendMessage({ data })
  sendMessage({ data: messageWith(jwt(id)) })
  expect(await answer).toBe(jwt(id))
})

test.each([
  ['nothing', null],
  ['an attestation for a different message', jwt('other')],
  ['a string that is not a JWT', 'x'],
])('requestAttestation() resolves to an empty string if the service returns %s', async (_, attestation) => {
  const { answer, sendMessage, messageWith } = await startRequest()
  sendMessage({ data: messageWith(attestation) })
  expect(await answer).toBe('')
})

test('requestAttestation() times out after five seconds', async () => {
  const { answer, clock, frames } = await startRequest()
  await clock.pass(4_999)
  expect(frames).toHaveLength(1)
  await clock.pass(1)
  expect(await answer).toBe('')
  expect(frames).toHaveLength(0)
})
