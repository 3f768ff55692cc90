import { expect, test } from 'vitest'
import { createEmbeddedFrame } from './embeddedFrame.ts'
import { popupLoginFinished } from './popupLogin.ts'
import { harness } from './testing/harness.ts'

function page({ wasLoggedIn = false, isConnected = false } = {}) {
  let connected = isConnected
  const { host, options, frame, pass, clock } = harness({
    frame: { script: { IS_CONNECTED: () => ({ isConnected: connected }) } },
  })
  let respond = (): void => undefined
  let isFinished = false
  const response = new Promise<void>((resolve) => (respond = resolve))
  const embedded = createEmbeddedFrame({ options, host, rpcUrl: () => undefined })
  void popupLoginFinished({ frame: embedded, response, wasLoggedIn, clock }).then(() => (isFinished = true))
  return {
    frame,
    pass,
    respond,
    logIn: () => (connected = true),
    get isFinished() {
      return isFinished
    },
  }
}

test('polls the frame every 15 seconds until the user is logged in', async () => {
  const wallet = page()
  await wallet.pass(15_000)
  expect([wallet.isFinished, wallet.frame.requests.length]).toEqual([false, 1])
  wallet.logIn()
  await wallet.pass(14_999)
  expect(wallet.isFinished).toBe(false)
  await wallet.pass(1)
  expect(wallet.isFinished).toBe(true)
})

test('does not poll the frame if the login receives a response', async () => {
  const wallet = page()
  wallet.respond()
  wallet.logIn()
  await wallet.pass(60_000)
  expect([wallet.isFinished, wallet.frame.requests]).toEqual([false, []])
})

test('keeps waiting if a user was already logged in before the popup login', async () => {
  const wallet = page({ wasLoggedIn: true, isConnected: true })
  await wallet.pass(60_000)
  expect([wallet.isFinished, wallet.frame.requests.length]).toEqual([false, 1])
})
