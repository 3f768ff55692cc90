import { createChannel } from '@latchkey/protocol/frame/channel'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { FrameHandle } from './frameHandle.ts'
import { mountFrame } from './mountFrame.ts'

const places: FrameHandle[] = []
afterEach(() => {
  for (const place of places.splice(0)) place.remove()
})

/** Mounts a same-origin frame whose window the tests can access. */
async function stand() {
  const failures: (string | undefined)[] = []
  const place = mountFrame({
    url: `${location.origin}/favicon.ico`,
    title: 'Wallet',
    closeLabel: 'Cancel the request',
    failed: (policy) => failures.push(policy),
    loaded() {},
  })
  places.push(place)
  const host = document.body.lastElementChild as HTMLElement
  const root = host.shadowRoot as ShadowRoot
  const iframe = root.querySelector('iframe') as HTMLIFrameElement
  const dialog = root.querySelector('dialog') as HTMLDialogElement
  await new Promise((resolve) => iframe.addEventListener('load', resolve, { once: true }))
  return { place, iframe, dialog, root, inner: iframe.contentWindow as Window & typeof globalThis, failures }
}

/** Resolves once all previously posted messages have been delivered. */
const delivered = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => setTimeout(resolve, 0)
    port2.postMessage(0)
  })

/** Posts a message to this page from the window `from`. */
function post(from: Window & typeof globalThis, message: unknown): void {
  // A message's source is the window whose code posts the message.
  new from.Function('page', 'message', 'page.postMessage(message, page.location.origin)')(window, message)
}

test('the page only receives messages from the frame’s own window [R1.5]', async () => {
  const { place, inner } = await stand()
  const messages: unknown[] = []
  place.transport.subscribe((data) => messages.push(data))
  window.postMessage('from this page', location.origin)
  const other = document.createElement('iframe')
  document.body.append(other)
  post(other.contentWindow as Window & typeof globalThis, 'from another frame')
  await delivered()
  expect(messages).toEqual([])
  post(inner, 'from the frame')
  await delivered()
  expect(messages).toEqual(['from the frame'])
  other.remove()
})

test('the frame receives messages and is not reloaded when it is hidden [R1.5]', async () => {
  const { place, iframe, dialog, inner } = await stand()
  let loads = 0
  iframe.addEventListener('load', () => loads++)
  expect(dialog.open).toBe(false)
  const arrived = new Promise((resolve) => inner.addEventListener('message', ({ data }) => resolve(data)))
  place.transport.post({ hello: 1 })
  expect(await arrived).toEqual({ hello: 1 })

  place.show(() => {})
  expect(dialog.matches(':modal')).toBe(true)
  place.hide()
  place.show(() => {})
  place.hide()
  expect(dialog.open).toBe(false)
  await delivered()
  expect(loads).toBe(0)
})

test('the button dismisses an approval, but Escape does not [R2.6]', async () => {
  const { place, dialog, root } = await stand()
  let dismissed = 0
  place.show(() => dismissed++)
  dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  dialog.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  expect(dialog.open).toBe(true)
  expect(dismissed).toBe(0)
  const button = root.querySelector('button') as HTMLButtonElement
  expect(button.getAttribute('aria-label')).toBe('Cancel the request')
  button.click()
  expect(dismissed).toBe(1)
})

test('backdrop clicks and repeated close requests do not dismiss an approval or reach the page [R2.6]', async () => {
  const { place, dialog } = await stand()
  let dismissed = 0
  const keys: string[] = []
  const onKeyDown = ({ key }: KeyboardEvent) => void keys.push(key)
  document.addEventListener('keydown', onKeyDown)
  place.show(() => dismissed++)
  // Android's back gesture is also a close request.
  expect(dialog.getAttribute('closedby')).toBe('none')
  for (let press = 1; press <= 3; press++) {
    dialog.click()
    const request = new Event('cancel', { cancelable: true })
    dialog.dispatchEvent(request)
    const key = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, composed: true })
    dialog.dispatchEvent(key)
    expect([request.defaultPrevented, key.defaultPrevented]).toEqual([true, true])
  }
  document.removeEventListener('keydown', onKeyDown)
  expect([dialog.open, dismissed, keys]).toEqual([true, 0, []])
})

test('the dialog is centered and 360 px wide, but is a full-width bottom sheet on screens up to 430 px wide [R2.10]', async () => {
  const { place, dialog } = await stand()
  place.show(() => {})
  const edges = () => {
    const { left, right, top, bottom } = (dialog.querySelector('.box') as HTMLElement).getBoundingClientRect()
    return { sides: [Math.round(left), Math.round(right)], above: Math.round(top), below: Math.round(700 - bottom) }
  }
  for (const width of [320, 430]) {
    await page.viewport(width, 700)
    // The sheet is at the bottom of the screen regardless of its height.
    await expect.poll(edges).toMatchObject({ sides: [0, width], below: 0 })
    expect(edges().above).toBeGreaterThan(0)
  }
  for (const width of [431, 1024]) {
    await page.viewport(width, 700)
    await expect.poll(() => (dialog.querySelector('.box') as HTMLElement).offsetWidth).toBe(360)
    const { sides, above, below } = edges()
    expect(Math.abs((sides[0] ?? 0) - (width - (sides[1] ?? 0)))).toBeLessThanOrEqual(1)
    expect(Math.abs(above - below)).toBeLessThanOrEqual(1)
  }
  await page.viewport(800, 700)
})

test('a channel to the frame works over window messages [R1.5]', async () => {
  const { place, inner } = await stand()
  const channel = createChannel({ transport: place.transport, clock: { after: () => () => {} } })
  inner.addEventListener('message', ({ data }: MessageEvent<{ type: string; id: string }>) => {
    post(inner, { type: '@w3m-frame/GET_CHAIN_ID_SUCCESS', id: data.id, payload: { chainId: 5 } })
  })
  post(inner, { type: '@w3m-frame/READY', payload: {} })
  expect(await channel.ask('GET_CHAIN_ID', undefined)).toEqual({ chainId: 5 })
  channel.close()
})

test('posting to a removed frame throws [R8.1]', async () => {
  const { place, iframe } = await stand()
  place.remove()
  expect(iframe.isConnected).toBe(false)
  expect(() => place.transport.post({})).toThrow('W3mFrame: iframe is not set')
})

test('a load error is reported, with the CSP directive if the page’s CSP blocked the frame [R8.1]', async () => {
  const { iframe, failures } = await stand()
  iframe.dispatchEvent(new Event('error'))
  const blocked = (blockedURI: string, effectiveDirective: string) =>
    document.dispatchEvent(
      new SecurityPolicyViolationEvent('securitypolicyviolation', {
        blockedURI,
        effectiveDirective,
        violatedDirective: effectiveDirective,
        documentURI: location.href,
        originalPolicy: '',
        disposition: 'enforce',
        statusCode: 200,
      }),
    )
  blocked(`${location.origin}/favicon.ico`, 'img-src')
  blocked('https://elsewhere.example/', 'frame-src')
  blocked(`${location.origin}/favicon.ico`, 'frame-src')
  expect(failures).toEqual([undefined, 'frame-src'])
})

test('the frame receives the page’s origin as its referrer, and passkey permissions for its own origin', async () => {
  const { iframe } = await stand()
  expect(iframe.referrerPolicy).toBe('origin')
  expect(iframe.title).toBe('Wallet')
  expect(iframe.allow).toContain(`publickey-credentials-get ${location.origin}`)
})
