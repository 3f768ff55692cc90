import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashMessage, recoverAddress, stringToHex } from 'viem'
import { expect, test } from './support/fixtures.ts'
import { startTestServer, type TestServer } from './support/testServer.ts'
import { openWebKit, type WebKit } from './support/webkitDriver.ts'

// The tests control WebKitGTK through WebDriver, without Playwright's page fixtures.
let browser: WebKit
// Each test starts a new browser. Otherwise, a session at the keys origin would carry over to the next test.
test.beforeEach(async () => {
  browser = await openWebKit()
})
test.afterEach(() => browser?.close())

test('WebKitGTK: connect, sign, pay, switch networks, reload and disconnect [R1.13] [R3.15] [R4.3]', async ({
  world,
}) => {
  test.setTimeout(120_000)
  await browser.goto(world.facts.demo)
  await browser.press('Add Country sourdough')
  await browser.press('Try with a test wallet')
  await browser.press('Test Wallet')
  await browser.press('Approve')
  await browser.button('Account ')

  await browser.press('To the order')
  await browser.press('Pay 6.80 TUSD')
  await browser.press('Approve')
  await browser.reads('6.80 TUSD reached the bakery.')
  await browser.press('Sign the pickup slip')
  await browser.press('Approve')
  await browser.reads('Signed and checked: this order is yours.')

  await browser.press('Network: Bakery Chain')
  await browser.press('Market Chain')
  await browser.press('Approve')
  await browser.button('Network: Market Chain')

  await browser.reload()
  await browser.button('Network: Market Chain')
  await browser.pressUntil('Account ', 'Disconnect')
  await browser.pressUntil('Disconnect', 'Connect wallet')
})

test.describe('if the page and the frame are on two localhost ports', () => {
  let server: TestServer
  let folder: string
  test.beforeAll(async () => {
    test.setTimeout(90_000)
    folder = await mkdtemp(join(tmpdir(), 'latchkey-webkit-'))
    // WebKitGTK treats every `*.localhost` host as a separate site and does not store Secure cookies over HTTP.
    server = await startTestServer({ dataFolder: join(folder, 'data'), onLocalhost: true })
    await server.allow([server.pages])
  })
  test.afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('WebKitGTK: log in by email, approve a signature in a window, then reject another one', async () => {
    test.setTimeout(120_000)
    await browser.goto(`${server.pages}/withoutSdk.html`)
    const ask = (name: string, payload?: unknown) =>
      browser.run(
        async (name: string, payload: unknown) => {
          while (!window.framePage) await new Promise((resolve) => requestAnimationFrame(resolve))
          await window.framePage.ready
          return (await window.framePage.request(name, payload)) as {
            type: string
            payload: { address: `0x${string}` }
          }
        },
        name,
        payload,
      )
    const email = `webkit-${Date.now()}@bakery.example`
    await ask('CONNECT_EMAIL', { email })
    await ask('CONNECT_OTP', { otp: server.codeFor(email) })
    const { payload: user } = await ask('GET_USER', { chainId: 1 })
    const request = {
      method: 'personal_sign',
      params: [stringToHex('Good morning'), user.address],
      chainId: 1,
      chainNamespace: 'eip155',
    }
    const start = (key: string) =>
      browser.run((key: string, request: unknown) => window.framePage.start(key, 'RPC_REQUEST', request), key, request)
    const answer = (key: string) => browser.run(async (key: string) => window.framePage.responses[key], key)
    const [page = ''] = await browser.windows()
    const openApproval = async (): Promise<void> => {
      await browser.into('iframe')
      await browser.press('Continue in a window')
      await browser.out()
      let opened: string | undefined
      await expect
        .poll(async () => {
          opened = (await browser.windows()).find((handle) => handle !== page)
          return opened
        })
        .toBeDefined()
      await browser.use(opened ?? '')
    }

    await start('yes')
    await openApproval()
    await browser.button('Sign')
    // The virtual display has no window manager, so windows never have focus. Only the loaded page can be told otherwise.
    await browser.run(() => {
      document.hasFocus = () => true
      window.dispatchEvent(new Event('focus'))
    })
    const armed = () =>
      browser.run(async () => {
        const button = [...document.querySelectorAll('button')].find((element) => element.textContent === 'Sign')
        for (let tries = 0; button?.getAttribute('aria-disabled') === 'true' && tries < 600; tries += 1)
          await new Promise((resolve) => setTimeout(resolve, 20))
        const { x = 0, y = 0, width = 0, height = 0 } = button?.getBoundingClientRect() ?? {}
        const why = document.querySelector('.decide [role=status]')?.textContent
        return { off: button?.getAttribute('aria-disabled'), why, x: x + width / 2, y: y + height / 2 }
      })
    const at = await armed()
    expect(at).toMatchObject({ off: null })
    await browser.moveAndPress([{ x: at.x, y: at.y - 150 }, { x: at.x, y: at.y - 60 }, at])
    await browser.use(page)
    const { payload: signature } = (await answer('yes')) as unknown as { payload: `0x${string}` }
    expect(await recoverAddress({ hash: hashMessage('Good morning'), signature })).toBe(user.address)

    await expect.poll(async () => (await browser.windows()).length).toBe(1)
    await start('no')
    await openApproval()
    await browser.press('Cancel')
    await browser.use(page)
    expect(await answer('no')).toMatchObject({ payload: { message: 'User rejected the request.' } })
  })

  test('WebKitGTK: log in, sign, reload and sign out on a cross-site page, with approvals at the keys origin', async () => {
    test.setTimeout(150_000)
    const place = server.pages.replace('//localhost', '//shop.localhost')
    const ask = (name: string, payload?: unknown) =>
      browser.run(
        async (name: string, payload: unknown) => {
          while (!window.framePage) await new Promise((resolve) => requestAnimationFrame(resolve))
          await window.framePage.ready
          // WebDriver serializes `undefined` as `null`.
          return (await window.framePage.request(name, payload ?? undefined)) as {
            type: string
            payload: Record<string, string>
          }
        },
        name,
        payload,
      )
    const start = (key: string, name: string, payload: unknown) =>
      browser.run(
        async (key: string, name: string, payload: unknown) => {
          while (!window.framePage) await new Promise((resolve) => requestAnimationFrame(resolve))
          await window.framePage.ready
          window.framePage.start(key, name, payload)
        },
        key,
        name,
        payload,
      )
    const answer = (key: string) => browser.run(async (key: string) => window.framePage.responses[key], key)
    await browser.goto(`${place}/withoutSdk.html`)
    const [page = ''] = await browser.windows()
    const openWindow = async (): Promise<void> => {
      await expect.poll(async () => (await browser.windows()).length).toBe(1)
      await browser.into('iframe')
      await browser.press('Continue in a window')
      await browser.out()
      await expect.poll(async () => (await browser.windows()).length).toBe(2)
      await browser.use((await browser.windows()).find((handle) => handle !== page) ?? '')
    }
    const approve = async (name: string): Promise<void> => {
      await browser.button(name)
      // The virtual display has no window manager, so windows never have focus.
      await browser.run(() => {
        document.hasFocus = () => true
        window.dispatchEvent(new Event('focus'))
      })
      const at = await browser.run(async (name: string) => {
        const button = [...document.querySelectorAll('button')].find((element) => element.textContent === name)
        for (let tries = 0; button?.getAttribute('aria-disabled') === 'true' && tries < 600; tries += 1)
          await new Promise((resolve) => setTimeout(resolve, 20))
        const { x = 0, y = 0, width = 0, height = 0 } = button?.getBoundingClientRect() ?? {}
        return { off: button?.getAttribute('aria-disabled'), x: x + width / 2, y: y + height / 2 }
      }, name)
      expect(at).toMatchObject({ off: null })
      await browser.moveAndPress([{ x: at.x, y: at.y - 150 }, { x: at.x, y: at.y - 60 }, at])
      await browser.use(page)
    }

    const email = `webkit-away-${Date.now()}@bakery.example`
    await start('in', 'CONNECT_WINDOW', { email })
    await openWindow()
    await browser.reads('6-digit code')
    await browser.run((code: string) => {
      const field = document.querySelector<HTMLInputElement>('input[autocomplete="one-time-code"]')
      // Use the native setter, so that React detects the change.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, code)
      field?.dispatchEvent(new Event('input', { bubbles: true }))
    }, server.codeFor(email))
    await approve('Connect')
    expect(await answer('in')).toMatchObject({ type: '@w3m-frame/CONNECT_WINDOW_SUCCESS' })
    const { payload: user } = await ask('GET_USER', { chainId: 1 })
    expect(user).toMatchObject({ email })

    const params = [stringToHex('Good morning'), user.address]
    await start('yes', 'RPC_REQUEST', { method: 'personal_sign', params, chainId: 1, chainNamespace: 'eip155' })
    await openWindow()
    await approve('Sign')
    const { payload: signature } = (await answer('yes')) as unknown as { payload: `0x${string}` }
    expect(await recoverAddress({ hash: hashMessage('Good morning'), signature })).toBe(user.address)

    await browser.goto(`${place}/withoutSdk.html`)
    expect(await ask('IS_CONNECTED')).toMatchObject({ payload: { isConnected: true } })
    expect((await ask('GET_USER', { chainId: 1 })).payload.address).toBe(user.address)
    await ask('SIGN_OUT')
    expect(await ask('IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
  })
})
