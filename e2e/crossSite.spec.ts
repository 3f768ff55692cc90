import type { Page } from '@playwright/test'
import { createPublicClient, hashMessage, http, parseEther, recoverAddress, stringToHex, toHex } from 'viem'
import { expect, test } from './support/test.ts'
import { approveIn, codeFor, mailsTo, openWireAt, pressAsPerson, type Wire } from './support/wire.ts'

// The page is of another site than the keys origin: the browser refuses the frame its cookie and its storage, or keeps others for each site.

const local = { chainId: 31337, chainNamespace: 'eip155' }
const someone = (name: string) => `${name}-${Date.now()}@bakery.example`

// "Nobody is signed in" is a 401, which the browser notes.
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
test.use({ expectedNoise: async ({}, use) => use([/status of (401|404)/, /Unrecognized feature: 'bluetooth'/]) })

/** Opens the window that the frame offers, as a person does. */
async function openWindow(wire: Wire): Promise<Page> {
  const opening = wire.page.context().waitForEvent('page', { timeout: 30_000 })
  await wire.frame.getByRole('button', { name: /^(Continue in a window|Open the window again)$/ }).click()
  const opened = await opening
  await opened.waitForURL(({ pathname }) => pathname === '/continue')
  return opened
}

/** Logs in by e-mail in the window; answers with the user on the local chain. */
async function logIn(wire: Wire, email: string, code: () => string | Promise<string>) {
  await wire.begin('in', 'CONNECT_WINDOW', { email })
  const opened = await openWindow(wire)
  await expect(opened.getByText(`shop.localhost`).first()).toBeVisible()
  const field = opened.getByLabel('Code of six digits')
  await expect(field).toBeVisible()
  await field.fill(await code())
  await opened.getByRole('button', { name: 'Go on', exact: true }).click()
  await approve(opened, 'Connect')
  expect((await wire.answer('in')).type).toBe('@w3m-frame/CONNECT_WINDOW_SUCCESS')
  return (await wire.ask('GET_USER', { chainId: 31337 })).payload as { address: `0x${string}`; email: string }
}

async function approve(opened: Page, name: string): Promise<void> {
  const button = opened.getByRole('button', { name, exact: true })
  await expect(button).toBeVisible()
  await pressAsPerson(button)
}

test('on a page of another site somebody logs in, signs, sends, reloads and leaves', async ({ page, world }) => {
  test.setTimeout(120_000)
  const email = someone('ada')
  const place = { pages: `http://shop.localhost:${world.port}`, codeFor: (to: string) => codeFor(world, to) }
  const wire = await openWireAt(page, place)
  const { payload: refused } = await wire.ask('CONNECT_EMAIL', { email })
  expect(refused.message).toContain('CONNECT_WINDOW')
  expect(await mailsTo(world, email)).toEqual([])
  const user = await logIn(wire, email, () => codeFor(world, email))
  expect(user).toMatchObject({ email })

  await wire.start('sign', { method: 'personal_sign', params: [stringToHex('hello'), user.address], ...local })
  const signing = await openWindow(wire)
  await expect(signing.getByText('hello')).toBeVisible()
  await approveIn(signing, 'Sign')
  const { payload: signature } = await wire.answer('sign')
  expect(await recoverAddress({ hash: hashMessage('hello'), signature })).toBe(user.address)

  const node = createPublicClient({ transport: http(world.facts.chains[0].rpcUrls.default.http[0]) })
  await node.request({ method: 'anvil_setBalance', params: [user.address, toHex(parseEther('1'))] } as never)
  const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  await wire.start('send', {
    method: 'eth_sendTransaction',
    params: [{ from: user.address, to, value: toHex(parseEther('0.25')) }],
    ...local,
  })
  await approveIn(await openWindow(wire), 'Approve')
  const { payload: hash } = await wire.answer('send')
  expect((await node.waitForTransactionReceipt({ hash })).status).toBe('success')

  const again = await openWireAt(page, place)
  expect(await again.ask('IS_CONNECTED')).toMatchObject({ payload: { isConnected: true } })
  expect((await again.ask('GET_USER', { chainId: 31337 })).payload.address).toBe(user.address)
  await again.ask('SIGN_OUT')
  expect(await again.ask('IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
})
