import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { createPublicClient, hashMessage, http, parseEther, recoverAddress, stringToHex, toHex } from 'viem'
import { expect, test, type World } from './support/fixtures.ts'
import {
  approve,
  approveIn,
  type FramePage,
  openApproval,
  openFramePage,
  pressAsPerson,
  readToTheEnd,
} from './support/framePage.ts'
import { unlimitedPermit } from './support/unlimitedPermit.ts'

// Approvals are protected from the host page. A click in the frame can never sign, because the page could have styled or moved
// the frame. The approval window only opens after a click in the frame, only shows that frame's request, and only accepts
// deliberate input.

const local = { chainId: 31337, chainNamespace: 'eip155' }
const continues = /^(Continue in a window|Open the window again)$/
const someone = (): string =>
  `guard-${createHash('sha256').update(String(performance.now())).digest('hex').slice(0, 8)}@bakery.example`

// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

/** Opens a page, logs in a new user and requests a signature. */
async function asking(
  page: Page,
  world: World,
  text = 'look',
): Promise<FramePage & { readonly address: `0x${string}` }> {
  const framePage = await openFramePage(page, world)
  const { payload: user } = await framePage.logIn(someone())
  await framePage.start('sign', { method: 'personal_sign', params: [stringToHex(text), user.address], ...local })
  await expect(framePage.frame.getByRole('button', { name: continues })).toBeVisible()
  return Object.assign(framePage, { address: user.address })
}

/** Resolves to the type of the frame's response, or to `nothing yet` while the request is pending. */
async function outcome(framePage: FramePage): Promise<string> {
  return Promise.race([
    framePage.response('sign').then(({ type }) => type),
    framePage.page.evaluate(() => 'nothing yet'),
  ])
}

async function isSigned(framePage: FramePage & { readonly address: string }, text = 'look'): Promise<void> {
  const { payload: signature } = await framePage.response('sign')
  expect(await recoverAddress({ hash: hashMessage(text), signature })).toBe(framePage.address)
}

const pause = (page: Page, ms: number) => page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), ms)

/** Returns the position of the approval button's center. */
async function placeOf(approval: Page, name = 'Sign'): Promise<{ readonly x: number; readonly y: number }> {
  const button = approval.getByRole('button', { name, exact: true })
  await expect(button).toBeVisible()
  const box = await button.boundingBox()
  if (!box) throw new Error('The button is not visible.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

test.describe('the frame cannot approve a request', () => {
  const tricks: Readonly<Record<string, string>> = {
    unchanged: '',
    'masked completely': 'iframe { mask: linear-gradient(#0000, #0000) }',
    'masked except for the button': 'iframe { mask: linear-gradient(#0000 70%, #000 70%) }',
    'clipped to its lower part': 'iframe { clip-path: inset(70% 0 0 0) }',
    'clipped by a polygon that keeps one pixel of the top':
      'iframe { clip-path: polygon(0 0, 1px 0, 1px 70%, 100% 70%, 100% 100%, 0 100%) }',
    'clipped by a path': "iframe { clip-path: path('M0 0h2v2h-2zM0 400h360v200h-360z') }",
    'clipped by rounded corners': 'iframe { border-radius: 50% }',
    'cropped by the viewport': 'html { overflow: hidden } iframe { inset-block-start: -300px !important }',
    'moved off the screen': 'iframe { inset-inline-start: -180px !important }',
    faded: 'iframe { opacity: 0.01 }',
    blurred: 'iframe { filter: blur(8px) }',
    inverted: 'html { filter: invert(1) }',
    blended: 'iframe { mix-blend-mode: multiply }',
    rotated: 'iframe { rotate: 3deg }',
    'rotated in 3D': 'iframe { transform: perspective(300px) rotateY(20deg) }',
    'scaled down': 'iframe { zoom: 0.3 }',
    'scaled up': 'iframe { transform: scale(2); transform-origin: 0 100% }',
    'below an overlay':
      'body::after { content: ""; position: fixed; inset: 0; background: #fff; opacity: 0.98; pointer-events: none }',
    'below a blurring backdrop':
      'body::after { content: ""; position: fixed; inset: 0; backdrop-filter: blur(9px); pointer-events: none }',
    'below a shadow':
      'body::after { content: ""; position: fixed; inset: 0 auto auto 0; box-shadow: 200px 150px 0 200px #fff; pointer-events: none }',
    'without a cursor': 'html { cursor: none }',
    'without forced colors': 'html { color-scheme: dark; forced-color-adjust: none }',
  }

  test('by a click, even if the page crops, masks, covers, fades, distorts, moves or zooms the frame', async ({
    page,
    world,
  }) => {
    test.setTimeout(150_000)
    const framePage = await asking(page, world)
    page.context().on('page', (opened) => void opened.close().catch(() => undefined))
    for (const [what, css] of Object.entries(tricks)) {
      await page.evaluate((css) => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(css)
        document.adoptedStyleSheets = [sheet]
      }, css)
      await pause(page, 900)
      // Simulate a clickjacking game: move the pointer in from outside and click quickly, all over the lower half.
      for (const x of [110, 200, 290])
        for (const y of [430, 490, 540, 590]) {
          await page.mouse.move(700, 100)
          await page.mouse.move(x, y, { steps: 3 })
          await page.mouse.down()
          await page.mouse.up()
        }
      // One of the clicks might hit Cancel, which rejects the request.
      expect(['nothing yet', '@w3m-frame/RPC_REQUEST_ERROR'], what).toContain(await outcome(framePage))
      await framePage.request('RPC_ABORT')
      await framePage.start('sign', {
        method: 'personal_sign',
        params: [stringToHex('look'), framePage.address],
        ...local,
      })
    }
    await expect(framePage.frame.getByRole('button', { name: 'Sign', exact: true })).toHaveCount(0)
  })

  test('by a key press after the page has moved the focus into the frame', async ({ page, world }) => {
    const framePage = await asking(page, world)
    page.context().on('page', (opened) => void opened.close().catch(() => undefined))
    await page.evaluate(() => document.querySelector('iframe')?.focus())
    for (const key of ['Enter', ' ', 'Tab', 'Enter', ' ', 'Shift+Tab', 'Enter']) await page.keyboard.press(key)
    expect(await outcome(framePage)).not.toContain('SUCCESS')
  })

  test('by a click while the page has locked the pointer, or by a drag onto the frame', async ({ page, world }) => {
    const framePage = await asking(page, world)
    page.context().on('page', (opened) => void opened.close().catch(() => undefined))
    const box = await framePage.frame.getByRole('button', { name: continues }).boundingBox()
    if (!box) throw new Error('The button is not visible.')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.click(900, 700)
    await page.evaluate(() => document.body.requestPointerLock())
    await page.waitForFunction(() => document.pointerLockElement !== null)
    await page.mouse.click(x, y)
    await page.evaluate(() => document.exitPointerLock())
    await page.evaluate(() => {
      const dragged = document.createElement('p')
      dragged.draggable = true
      dragged.textContent = 'Drag me'
      dragged.style.cssText = 'position: fixed; inset: 700px auto auto 900px; inline-size: 200px; block-size: 60px'
      document.body.append(dragged)
    })
    await page.mouse.move(950, 720)
    await page.mouse.down()
    await page.mouse.move(x, y, { steps: 10 })
    await page.mouse.up()
    expect(await outcome(framePage)).toBe('nothing yet')
  })
})

test.describe('the approval window', () => {
  test('approves the request that it shows, and the requesting page receives the signature', async ({
    page,
    world,
  }) => {
    const framePage = await asking(page, world)
    const approval = await openApproval(framePage.frame)
    await expect(approval.getByText(`http://pages.demo.localhost:${world.port}`)).toBeVisible()
    await expect(approval.getByText('look', { exact: true })).toBeVisible()
    expect(await approval.evaluate(() => [window.opener, location.hash])).toEqual([null, ''])
    await approveIn(approval, 'Sign')
    await isSigned(framePage)
    await expect.poll(() => approval.isClosed()).toBe(true)
    await expect(framePage.frame.getByRole('heading')).toHaveCount(0)
  })

  test('can reject the request; if the user closes the window, the request can be reopened or cancelled in the frame', async ({
    page,
    world,
  }) => {
    const framePage = await asking(page, world)
    const closed = await openApproval(framePage.frame)
    await expect(closed.getByRole('button', { name: 'Sign', exact: true })).toBeVisible()
    await closed.close()
    await expect(framePage.frame.getByRole('button', { name: 'Continue in a window' })).toBeVisible()
    expect(await outcome(framePage)).toBe('nothing yet')
    const again = await openApproval(framePage.frame)
    // The window closes at once, so Playwright may not see the end of the click.
    await again
      .getByRole('button', { name: 'Cancel' })
      .click()
      .catch(() => undefined)
    expect(await framePage.response('sign')).toMatchObject({ payload: { message: 'User rejected the request.' } })
    await expect.poll(() => again.isClosed()).toBe(true)

    await framePage.start('sign', {
      method: 'personal_sign',
      params: [stringToHex('look'), framePage.address],
      ...local,
    })
    await (await openApproval(framePage.frame)).close()
    await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
    expect(await framePage.response('sign')).toMatchObject({ payload: { message: 'User rejected the request.' } })
  })

  test('closes when the page aborts the request or navigates away', async ({ page, world }) => {
    const framePage = await asking(page, world)
    const approval = await openApproval(framePage.frame)
    await expect(approval.getByRole('button', { name: 'Sign', exact: true })).toBeVisible()
    await framePage.request('RPC_ABORT')
    await expect.poll(() => approval.isClosed()).toBe(true)
    expect(await framePage.response('sign')).toMatchObject({ payload: { message: 'Request was aborted' } })

    await framePage.start('sign', {
      method: 'personal_sign',
      params: [stringToHex('look'), framePage.address],
      ...local,
    })
    const next = await openApproval(framePage.frame)
    await expect(next.getByRole('button', { name: 'Sign', exact: true })).toBeVisible()
    await page.goto('about:blank')
    await expect.poll(() => next.isClosed()).toBe(true)
  })

  test('shows no request if the ID is unknown, used, malformed or missing', async ({ page, world }) => {
    const context = page.context()
    await context.addInitScript(() => {
      if (location.pathname === '/approve') Object.assign(window, { openedWith: location.hash })
    })
    const framePage = await asking(page, world)
    const first = await openApproval(framePage.frame)
    await expect(first.getByRole('button', { name: 'Sign', exact: true })).toBeVisible()
    const used = await first.evaluate(() => (window as unknown as { openedWith: string }).openedWith)
    expect(used).toMatch(/^#[0-9a-f]{32}$/)
    await first.close()
    await expect(framePage.frame.getByRole('button', { name: 'Continue in a window' })).toBeVisible()
    const open = async (id: string): Promise<void> => {
      const stranger = await context.newPage()
      await stranger.goto(`${world.facts.keys}/approve${id}`)
      await expect(stranger.getByText('There is nothing to approve here.', { exact: false }), id)
        .toBeVisible({
          timeout: 20_000,
        })
        .catch((error: Error) => {
          // The window closes itself if a script opened it.
          if (!stranger.isClosed()) throw error
        })
      if (stranger.isClosed()) return
      await expect(stranger.getByRole('button', { name: 'Sign' })).toHaveCount(0)
      await stranger.close()
    }
    // A window with a well-formed ID waits for its frame, and only one such window does so at a time.
    for (const id of [used, `#${'0'.repeat(32)}`]) await open(id)
    await Promise.all([`#${'z'.repeat(32)}`, '#', '', `${used}0`].map(open))
    expect(await outcome(framePage)).toBe('nothing yet')
    await approve(framePage.frame, 'Sign')
    await isSigned(framePage)
  })

  test('cannot be framed and does not have an opener', async ({ page, world }) => {
    const answer = await page.request.get(`http://127.0.0.1:${world.port}/approve`, {
      headers: { host: `keys.demo.localhost:${world.port}` },
    })
    expect(answer.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(answer.headers()['cross-origin-opener-policy']).toBe('same-origin')
    const file = await page.request.get(`http://127.0.0.1:${world.port}/approve.html`, {
      headers: { host: `keys.demo.localhost:${world.port}` },
    })
    expect(file.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('can be opened again, or its request cancelled, if the browser blocks the window', async ({ page, world }) => {
    await page.addInitScript(() => {
      if (location.host.startsWith('keys.')) window.open = () => null
    })
    const framePage = await asking(page, world)
    await framePage.frame.getByRole('button', { name: 'Continue in a window' }).click()
    await expect(framePage.frame.getByText('The window did not open.', { exact: false })).toBeVisible()
    await expect(framePage.frame.getByRole('button', { name: 'Open the window again' })).toBeEnabled()
    await framePage.frame.getByRole('button', { name: 'Cancel' }).click()
    expect(await framePage.response('sign')).toMatchObject({ payload: { message: 'User rejected the request.' } })
  })

  test('waits while a different approval window is open', async ({ page, world }) => {
    test.setTimeout(90_000)
    const framePage = await asking(page, world)
    const first = await openApproval(framePage.frame)
    await expect(first.getByRole('button', { name: 'Sign', exact: true })).toBeVisible()
    const other = await openFramePage(await page.context().newPage(), world)
    await other.start('sign', { method: 'personal_sign', params: [stringToHex('second'), framePage.address], ...local })
    const second = await openApproval(other.frame)
    await expect(second.getByText('Another request is open in a window.', { exact: false })).toBeVisible()
    await expect(second.getByRole('button', { name: 'Sign' })).toHaveCount(0)
    await first.bringToFront()
    await approveIn(first, 'Sign')
    await isSigned(framePage)
    await second.bringToFront()
    await approveIn(second, 'Sign')
    expect((await other.response('sign')).type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
  })

  test('ignores clicks while it is not focused or is too small to read', async ({ page, world }) => {
    await page.context().addInitScript(() => {
      if (location.pathname === '/approve') document.hasFocus = () => 'inFront' in window
    })
    const framePage = await asking(page, world)
    const approval = await openApproval(framePage.frame)
    const sign = approval.getByRole('button', { name: 'Sign', exact: true })
    await expect(approval.getByText('This window is not in front.')).toBeVisible()
    await expect(sign).toHaveAttribute('aria-disabled', 'true')
    await approval.evaluate(() => {
      Object.assign(window, { inFront: true })
      window.dispatchEvent(new Event('focus'))
    })
    await expect(sign).not.toHaveAttribute('aria-disabled', 'true')
    await approval.setViewportSize({ width: 240, height: 300 })
    await expect(sign).toHaveAttribute('aria-disabled', 'true')
    await approval.setViewportSize({ width: 440, height: 760 })
    await approveIn(approval, 'Sign')
    await isSigned(framePage)
  })

  test('enables the button only after the user has scrolled through all of the details', async ({ page, world }) => {
    const framePage = await openFramePage(page, world)
    const { payload: user } = await framePage.logIn(someone())
    const node = createPublicClient({ transport: http(world.facts.chains[0].rpcUrls.default.http[0]) })
    await node.request({ method: 'anvil_setBalance', params: [user.address, toHex(parseEther('1'))] } as never)
    const call = { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: '0x0' }
    const params = [{ version: '2.0.0', chainId: '0x7a69', from: user.address, calls: Array(9).fill(call) }]
    await framePage.start('sign', { method: 'wallet_sendCalls', params, ...local })
    const approval = await openApproval(framePage.frame)
    await expect(approval.getByText('Scroll down to see everything first.')).toBeVisible({ timeout: 30_000 })
    await expect(approval.getByRole('button', { name: 'Approve' })).toHaveAttribute('aria-disabled', 'true')
    // The simulation result can arrive after the first scroll and add details.
    await expect(async () => {
      await readToTheEnd(approval)
      await expect(approval.getByText('Scroll down to see everything first.')).toHaveCount(0, { timeout: 3_000 })
    }).toPass({ timeout: 30_000 })
  })
})

test.describe('clickjacking in the approval window', () => {
  for (const [how, rhythms] of [
    // The intervals of a rhythm follow each other in one window. The rhythms run at the same time, each in its own browser context.
    ['mouse', [[150, 500, 700, 900], [1_600]]],
    ['touch', [[300, 700, 900], [1_600], [2_600]]],
  ] as const)
    test(`rhythmic ${how} input at the button’s position approves nothing`, async ({ browser, page, world }) => {
      test.setTimeout(120_000)
      await Promise.all(
        rhythms.map(async (intervals, index) => {
          const context = index === 0 ? page.context() : await browser.newContext()
          const framePage = await asking(index === 0 ? page : await context.newPage(), world)
          const approval = await openApproval(framePage.frame)
          const at = await placeOf(approval)
          await approval.mouse.move(at.x, at.y)
          const touching = await approval.context().newCDPSession(approval)
          for (const interval of intervals) {
            for (let press = 0; press < 5; press += 1) {
              if (how === 'mouse') {
                await approval.mouse.down()
                await approval.mouse.up()
              } else {
                await touching.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
                await touching.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
              }
              await pause(approval, interval)
            }
            expect(await outcome(framePage), `every ${interval} ms`).toBe('nothing yet')
          }
          if (index > 0) await context.close()
        }),
      )
    })

  test('an approval by touch needs a second tap at a different position', async ({ page, world }) => {
    const framePage = await asking(page, world)
    const approval = await openApproval(framePage.frame)
    const touching = await approval.context().newCDPSession(approval)
    const tap = async (name: string) => {
      const at = await placeOf(approval, name)
      await touching.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
      await touching.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      return at
    }
    const confirm = approval.getByRole('button', { name: 'Confirm', exact: true })
    let first = { x: 0, y: 0 }
    await expect(async () => {
      await pause(approval, 2_000)
      first = await tap('Sign')
      await expect(confirm).toBeVisible({ timeout: 500 })
    }).toPass()
    const box = await confirm.boundingBox()
    if (!box) throw new Error('The second button has no position.')
    expect(first.x < box.x || first.x > box.x + box.width || first.y < box.y || first.y > box.y + box.height).toBe(true)
    await pause(approval, 2_000)
    await tap('Confirm')
    await isSigned(framePage)
  })

  test('the second half of a double click, a drag onto or off the button, and a scripted click approve nothing', async ({
    page,
    world,
  }) => {
    const framePage = await asking(page, world)
    const button = framePage.frame.getByRole('button', { name: continues })
    const opening = page.context().waitForEvent('page')
    await button.dblclick()
    const approval = await opening
    const at = await placeOf(approval)
    const sign = approval.getByRole('button', { name: 'Sign', exact: true })
    await approval.mouse.move(at.x, at.y)
    await approval.mouse.down({ clickCount: 2 })
    await approval.mouse.up({ clickCount: 2 })
    await expect(sign).not.toHaveAttribute('aria-disabled', 'true')
    await approval.mouse.dblclick(at.x, at.y)
    // Press outside the button and release on it, then the other way around.
    for (const [from, to] of [
      [{ x: 200, y: 100 }, at],
      [at, { x: 200, y: 100 }],
    ] as const) {
      await approval.mouse.move(220, 90)
      await approval.mouse.move(from.x, from.y, { steps: 4 })
      await expect(sign).not.toHaveAttribute('aria-disabled', 'true')
      await approval.mouse.down()
      await approval.mouse.move(to.x, to.y, { steps: 4 })
      await approval.mouse.up()
    }
    await sign.evaluate((element: HTMLButtonElement) => element.click())
    // Click again without moving the pointer off the button first.
    await approval.mouse.move(at.x, at.y)
    await approval.mouse.down()
    await approval.mouse.up()
    expect(await outcome(framePage)).toBe('nothing yet')
    await expect(sign).not.toHaveAttribute('aria-disabled', 'true')
    await pressAsPerson(sign)
    await isSigned(framePage)
  })

  test('a held key and a key press after scripted focus approve nothing, but Tab and Enter approve the request', async ({
    page,
    world,
  }) => {
    test.setTimeout(90_000)
    const framePage = await asking(page, world)
    const approval = await openApproval(framePage.frame)
    const sign = approval.getByRole('button', { name: 'Sign', exact: true })
    await expect(sign).not.toHaveAttribute('aria-disabled', 'true')
    for (const key of ['Enter', ' ']) {
      // Hold the key down. After the first press, the window only receives repeat events.
      await sign.focus()
      for (let repeat = 0; repeat < 15; repeat += 1) {
        await approval.keyboard.down(key)
        await pause(approval, 60)
      }
      await approval.keyboard.up(key)
      await pause(approval, 1_200)
      // Press the key once. The button is focused, but by a script instead of the keyboard.
      await approval.keyboard.press(key)
    }
    expect(await outcome(framePage)).toBe('nothing yet')
    await expect(sign).not.toHaveAttribute('aria-disabled', 'true')
    await approval.getByRole('heading', { level: 1 }).focus()
    await expect(async () => {
      await approval.keyboard.press('Tab')
      await expect(sign).toBeFocused({ timeout: 200 })
    }).toPass()
    await pause(approval, 1_000)
    await approval.keyboard.press('Enter')
    await isSigned(framePage)
  })

  test('an unlimited permit needs a second confirmation, which cannot be given by clicking in the same place again', async ({
    page,
    world,
  }) => {
    test.setTimeout(90_000)
    const framePage = await openFramePage(page, world)
    const { payload: user } = await framePage.logIn(someone())
    const data = unlimitedPermit({
      token: world.facts.token.address,
      owner: user.address,
      spender: world.facts.accounts[1]?.address,
    })
    await framePage.start('sign', {
      method: 'eth_signTypedData_v4',
      params: [user.address, JSON.stringify(data)],
      ...local,
    })
    const approval = await openApproval(framePage.frame)
    const sign = approval.getByRole('button', { name: 'Sign', exact: true })
    const confirm = approval.getByRole('button', { name: 'Confirm', exact: true })
    await expect(sign).toBeVisible()
    await readToTheEnd(approval)
    await pressAsPerson(sign)
    await expect(confirm).toBeVisible()
    for (let press = 0; press < 4; press += 1) {
      await pause(approval, 900)
      await approval.mouse.down()
      await approval.mouse.up()
    }
    expect(await outcome(framePage)).toBe('nothing yet')
    await pressAsPerson(confirm)
    expect((await framePage.response('sign')).type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
  })
})
