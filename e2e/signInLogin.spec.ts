import { hashMessage, recoverAddress } from 'viem'
import { expect, test } from './support/test.ts'
import { codeFor, openWire, sayYes, type Wire } from './support/wire.ts'

// "Nobody is signed in" is a 401, which the browser notes.
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
test.use({ expectedNoise: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

const placeholder = '<<AccountAddress>>'
const someone = (name: string): string => `${name}-${Date.now()}@bakery.example`

/** A sign-in as a page asks for it: its fields, and its text. */
function signIn(origin: string, change: Record<string, string> = {}) {
  const said: Record<string, string> = {
    domain: new URL(origin).host,
    uri: `${origin}/wire.html`,
    nonce: crypto.randomUUID().replaceAll('-', ''),
    statement: 'Good morning.',
    ...change,
  }
  const issuedAt = new Date().toISOString()
  return {
    ...said,
    accountAddress: placeholder,
    chainId: 'eip155:31337',
    version: '1',
    issuedAt,
    serializedMessage: `${said.domain} wants you to sign in with your Ethereum account:\n${placeholder}\n\n${said.statement}\n\nURI: ${said.uri}\nVersion: 1\nChain ID: 31337\nNonce: ${said.nonce}\nIssued At: ${issuedAt}`,
  }
}

/** Somebody who has typed their code on a page that took the port, as ours does; the page asks for their account next. */
async function atTheDoor(wire: Wire, email: string, codes: (email: string) => Promise<string>): Promise<void> {
  await wire.page.evaluate(() => window.wire.takePort())
  await wire.ask('CONNECT_EMAIL', { email })
  await wire.ask('CONNECT_OTP', { otp: await codes(email) })
}

test('a login and a sign-in are one press in the frame, and another page gets none of it', async ({
  page,
  pages,
  world,
}) => {
  const wire = await openWire(page, world)
  await atTheDoor(wire, someone('ada'), (email) => codeFor(world, email))
  const siwxMessage = signIn(pages)
  await wire.begin('in', 'GET_USER', { chainId: 31337, siwxMessage })
  await expect(wire.frame.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(wire.frame.getByText(pages).first()).toBeVisible()
  await sayYes(wire.frame, 'Sign')
  const { payload: user } = await wire.answer('in')
  expect(user.message).toBe(siwxMessage.serializedMessage.replace(placeholder, user.address))
  expect(user.siwxMessage).toMatchObject({ nonce: siwxMessage.nonce, accountAddress: user.address })
  expect(await recoverAddress({ hash: hashMessage(user.message), signature: user.signature })).toBe(user.address)
  // Nothing waits behind it, and the same text is not asked about again.
  await expect(wire.frame.getByRole('heading')).toHaveCount(0)
  expect((await wire.ask('GET_USER', { chainId: 31337, siwxMessage })).payload).toEqual(user)

  // A page that took no port does not show the frame for this: it is told who is there, and nothing more.
  const plain = await openWire(page, world)
  const { payload: told } = await plain.ask('GET_USER', { chainId: 31337, siwxMessage: signIn(pages) })
  expect(told.address).toBe(user.address)
  expect([told.signature, told.message]).toEqual([undefined, undefined])
})

test('whoever declines it is logged in without', async ({ page, pages, world }) => {
  const wire = await openWire(page, world)
  await atTheDoor(wire, someone('bob'), (email) => codeFor(world, email))
  await wire.begin('in', 'GET_USER', { chainId: 31337, siwxMessage: signIn(pages) })
  await wire.frame.getByRole('button', { name: 'Cancel' }).click()
  const { type, payload: user } = await wire.answer('in')
  expect(type).toBe('@w3m-frame/GET_USER_SUCCESS')
  expect(user.accounts[0].address).toBe(user.address)
  expect(user).not.toHaveProperty('signature')
})

test('an evil page gets no signature: for another site, with a line slipped in, with a text that says something else', async ({
  page,
  pages,
  world,
}) => {
  const wire = await openWire(page, world)
  await atTheDoor(wire, someone('cleo'), (email) => codeFor(world, email))
  await wire.begin('phish', 'GET_USER', {
    chainId: 31337,
    siwxMessage: signIn(pages, { domain: 'bank.example', uri: 'https://bank.example' }),
  })
  await expect(wire.frame.getByRole('alert')).toContainText('bank.example')
  await expect(wire.frame.getByRole('button', { name: 'Sign' })).toHaveCount(0)
  await wire.frame.getByRole('button', { name: 'Close' }).click()
  expect((await wire.answer('phish')).payload).not.toHaveProperty('signature')

  const good = signIn(pages)
  for (const siwxMessage of [
    signIn(pages, { statement: 'Hi.\n\nURI: https://bank.example' }),
    { ...good, statement: 'Good morning.\nNonce: 12345678' },
    { ...good, nonce: 'somebodyelses123' },
    { ...good, serializedMessage: `${good.serializedMessage}\nResources:\n- https://bank.example/all` },
    { ...good, serializedMessage: `I, ${placeholder}, owe you 100.` },
  ]) {
    const { type, payload: user } = await wire.ask('GET_USER', { chainId: 31337, siwxMessage })
    expect([type, user.signature]).toEqual(['@w3m-frame/GET_USER_SUCCESS', undefined])
    await expect(wire.frame.getByRole('heading')).toHaveCount(0)
  }
})
