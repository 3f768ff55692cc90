// A host page without our SDK. It communicates with the frame through window messages or a port, and always shows the frame.

interface ReceivedMessage {
  readonly type: string
  readonly id?: string
  readonly payload?: unknown
}

declare global {
  interface Window {
    framePage: {
      /** Resolves to the payload of the first READY message. */
      ready: Promise<unknown>
      /** The messages from the frame, in order. */
      log: ReceivedMessage[]
      request(name: string, payload?: unknown, id?: string): Promise<ReceivedMessage>
      /** Sends a request. `responses[key]` resolves to the response. */
      start(key: string, name: string, payload?: unknown, id?: string): void
      responses: Record<string, Promise<ReceivedMessage>>
      takePort(): void
      /** Opens a social login in a popup. Resolves to the URL that the popup posts to the page. */
      popup(provider: string): Promise<string>
    }
  }
}

const { keys } = (await (await fetch('/environment.json')).json()) as { keys: string }
const frame = document.createElement('iframe')
frame.title = 'Wallet'
frame.allow = `publickey-credentials-get ${keys}; publickey-credentials-create ${keys}`
const waiting = new Map<string, (message: ReceivedMessage) => void>()
const log: ReceivedMessage[] = []
let port: MessagePort | undefined
let tellReady = (_payload: unknown): void => {}
const ready = new Promise((resolve) => {
  tellReady = resolve
})

function onMessage(message: ReceivedMessage): void {
  log.push(message)
  if (message.type === '@w3m-frame/READY') tellReady(message.payload)
  const resolve = message.id === undefined ? undefined : waiting.get(message.id)
  if (message.id !== undefined) waiting.delete(message.id)
  resolve?.(message)
}

addEventListener('message', (event) => {
  if (event.origin === keys && event.source === frame.contentWindow) onMessage(event.data)
})

const sendRequest = (name: string, payload?: unknown, id: string = crypto.randomUUID()): Promise<ReceivedMessage> =>
  new Promise((resolve) => {
    waiting.set(id, resolve)
    const message = { type: `@w3m-app/${name}`, id, payload }
    if (port) port.postMessage(message)
    else frame.contentWindow?.postMessage(message, keys)
  })

window.framePage = {
  ready,
  log,
  request: sendRequest,
  responses: {},
  start(key, ...args) {
    window.framePage.responses[key] = sendRequest(...args)
  },
  async popup(provider) {
    const popup = window.open(`${keys}/loading`, 'popupWindow', 'width=600,height=800,scrollbars=yes')
    if (!popup) throw new Error('No popup')
    const redirected = new Promise<string>((resolve) => {
      addEventListener('message', ({ origin, source, data }) => {
        if (origin === keys && source === popup && data?.resultUri) resolve(data.resultUri)
      })
    })
    const { payload } = await sendRequest('GET_SOCIAL_REDIRECT_URI', { provider })
    popup.location.href = (payload as { uri: string }).uri
    const resultUri = await redirected
    popup.close()
    return resultUri
  },
  takePort() {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => onMessage(data)
    port = port1
    frame.contentWindow?.postMessage({ type: '@w3m-app/PORT' }, keys, [port2])
  },
}
// `?chain=` sets the initial network, for tests in which the page starts on the protocol's default network and switches later.
const chain = new URLSearchParams(location.search).get('chain') ?? 'eip155:31337'
frame.src = `${keys}/sdk?projectId=local&chainId=${encodeURIComponent(chain)}&version=4`
document.body.append(frame)
