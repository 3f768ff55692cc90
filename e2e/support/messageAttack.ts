/** Controls a window that attacks through `postMessage()`. */
export interface MessageAttack {
  /** Posts `count` messages, generated from `seed`, as fast as the target accepts them. Resolves to the number of messages. */
  attack(options: {
    seed: number
    count: number
    at: 'self' | 'frame' | 'parent' | 'parent frame' | 'opener' | 'opener frame'
    /** The kind of messages: `frame` for those that a page sends to the frame, `page` for those that the frame sends back. */
    side: 'frame' | 'page'
    /** Captured messages to replay. */
    recorded: readonly unknown[]
    /** Whether every message must be invalid by itself, for attacks from a window that is allowed to send valid messages. */
    malformed: boolean
    origin?: string
  }): Promise<number>
  /** The messages that this window received in response. */
  readonly received: unknown[]
}

declare global {
  interface Window {
    hostile: MessageAttack
  }
}

/** Installs the attacker in a window. The function is self-contained because it also runs in sandboxed, cross-origin frames. */
export function installMessageAttack(): void {
  const names = {
    frame: [
      'CONNECT_EMAIL',
      'CONNECT_DEVICE',
      'CONNECT_OTP',
      'CONNECT_SOCIAL',
      'GET_SOCIAL_REDIRECT_URI',
      'GET_FARCASTER_URI',
      'CONNECT_FARCASTER',
      'GET_USER',
      'SIGN_OUT',
      'IS_CONNECTED',
      'GET_CHAIN_ID',
      'SWITCH_NETWORK',
      'INIT_SMART_ACCOUNT',
      'SET_PREFERRED_ACCOUNT',
      'RPC_REQUEST',
      'RPC_ABORT',
      'UPDATE_EMAIL',
      'UPDATE_EMAIL_PRIMARY_OTP',
      'UPDATE_EMAIL_SECONDARY_OTP',
      'SYNC_THEME',
      'SYNC_DAPP_DATA',
      'RELOAD',
      'PORT',
    ],
    page: [
      'READY',
      'SESSION_UPDATE',
      'CONNECT_OTP_SUCCESS',
      'CONNECT_SOCIAL_SUCCESS',
      'GET_USER_SUCCESS',
      'GET_USER_ERROR',
      'SIGN_OUT_SUCCESS',
      'IS_CONNECTED_SUCCESS',
      'IS_CONNECTED_ERROR',
      'GET_CHAIN_ID_SUCCESS',
      'RPC_REQUEST_SUCCESS',
      'RPC_REQUEST_ERROR',
      'SWITCH_NETWORK_SUCCESS',
      'SET_PREFERRED_ACCOUNT_SUCCESS',
      'UPDATE_EMAIL_SUCCESS',
    ],
  }
  const attacker = '0x00000000000000000000000000000000DeaDBeef'
  const wishes: readonly unknown[] = [
    { email: 'thief@evil.example' },
    { otp: '123456' },
    { provider: 'google' },
    { uri: 'http://evil.example/?code=1' },
    { chainId: 'eip155:31338' },
    { chainId: 31338, rpcUrl: 'http://evil.example' },
    { type: 'smartAccount' },
    { method: 'personal_sign', params: ['0x00', attacker], chainId: 31337, chainNamespace: 'eip155' },
    { method: 'eth_sendTransaction', params: [{ to: attacker, value: '0xffff' }], chainId: 31337 },
    { themeMode: 'light', themeVariables: { '--accent': 'url(http://evil.example)' } },
    { metadata: { name: 'Your bank', description: '', url: 'http://evil.example', icons: [] }, projectId: 'evil' },
    { version: '4', capabilities: ['port'], custody: 'assisted' },
    { isConnected: false },
    { chainId: 31338 },
    { address: attacker, chainId: 31337, email: 'thief@evil.example', accounts: [{ address: attacker, type: 'eoa' }] },
    { token: 'stolen' },
    { message: 'Something went wrong' },
    '0xdead',
    undefined,
  ]

  Object.assign(window, {
    hostile: {
      received: [] as unknown[],
      async attack({ seed, count, at, side, recorded, malformed, origin = '*' }) {
        let state = seed >>> 0
        const chance = (): number => {
          state = (state + 0x6d2b79f5) >>> 0
          let mixed = Math.imul(state ^ (state >>> 15), state | 1)
          mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
          return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
        }
        const int = (max: number): number => Math.floor(chance() * max)
        const pick = <Item>(items: readonly Item[]): Item => items[int(items.length)] as Item
        const prefix = side === 'frame' ? '@w3m-app/' : '@w3m-frame/'
        const [whose, inside] = at.split(' ')
        const near: Window = whose === 'opener' ? window.opener : whose === 'parent' ? window.parent : window
        // The key frame is the first frame in each page under test.
        const target = inside || whose === 'frame' ? near[0] : near

        const deep = (levels: number): unknown => {
          let made: unknown = 0
          for (let level = 0; level < levels; level++) made = level % 2 ? [made] : { a: made }
          return made
        }
        // Payloads that are invalid for every message type.
        const nonsense: readonly (() => unknown)[] = [
          () => null,
          () => int(2 ** 31),
          () => chance() < 0.5,
          () => 'x'.repeat(int(200)),
          () => [[], [[]]],
          () => new Map([['type', `${prefix}SIGN_OUT`]]),
          () => new Set([1]),
          () => new Date(0),
          () => new Uint8Array(int(500)),
          () => new ArrayBuffer(8),
          () => new Error('@w3m-app/SIGN_OUT'),
          () => /@w3m/,
          () => 10n ** 40n,
          () => Number.NaN,
          () => new Blob(['{}']),
          () => deep(chance() < 0.05 ? 1500 : int(40)),
          () =>
            JSON.parse(
              '{"__proto__":{"isConnected":true,"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
            ),
          () => Object.fromEntries(Array.from({ length: int(60) }, (_, key) => [`k${key}`, key])),
          () => ({
            email: [],
            otp: {},
            uri: 5,
            chainId: {},
            type: 7,
            method: 3,
            provider: 'nobody',
            metadata: 1,
            themeMode: 9,
            id: {},
          }),
        ]
        const ids: readonly (() => unknown)[] = [
          () => `evil-${int(2 ** 31)}`,
          () => int(1000),
          () => 'evil-'.padEnd(200, 'x'),
          () => ({ toString: 'evil-' }),
          () => '__proto__',
          () => null,
        ]
        const strangeTypes: readonly (() => unknown)[] = [
          () => `${prefix}__proto__`,
          () => `${prefix}constructor`,
          () => `${prefix}toString`,
          () => `${prefix}hasOwnProperty`,
          () => ` ${prefix}SIGN_OUT`,
          () => `${prefix}SIGN_OUT\u0000`,
          () => `${prefix.toUpperCase()}SIGN_OUT`,
          () => prefix,
          () => ['@w3m-app/SIGN_OUT'],
          () => new String(`${prefix}SIGN_OUT`),
          () => `https://evil.example/${prefix}SIGN_OUT`,
          () => undefined,
        ]
        const make = (): { data: unknown; ports: MessagePort[] } => {
          const kind = int(1000)
          const id = pick(ids)()
          // Skip READY, because the frame itself is allowed to send READY with any payload, as it does after a reload.
          const own = malformed && side === 'page' ? names.page.slice(2) : names[side]
          const named = { type: `${prefix}${pick(own)}`, id }
          if (kind === 0)
            return { data: { ...named, id: 'evil-huge', payload: { email: 'y'.repeat(1_200_000) } }, ports: [] }
          if (kind < 100) return { data: pick(nonsense)(), ports: [] }
          if (kind < 250) return { data: { type: pick(strangeTypes)(), id, payload: pick(wishes) }, ports: [] }
          if (kind < 450 && recorded.length > 0) return { data: pick(recorded), ports: [] }
          if (kind < 500) {
            const { port1, port2 } = new MessageChannel()
            const onMessage = ({ data }: MessageEvent): void => {
              window.hostile.received.push(data)
            }
            port1.onmessage = onMessage
            port1.postMessage({ type: '@w3m-app/SIGN_OUT', id: 'evil-port' })
            // A window that is allowed to send requests can also offer a port, which would not be an attack.
            const type = malformed ? '@w3m-app/SHIP' : chance() < 0.5 ? '@w3m-app/PORT' : `${prefix}READY`
            return { data: { type, id: 'evil-port', payload: { capabilities: ['port'] } }, ports: [port2] }
          }
          if (malformed && side === 'page')
            // Here the frame itself is the attacker. Its messages have a valid type, but are not responses to a request.
            return { data: { ...named, payload: pick(wishes) }, ports: [] }
          if (malformed) {
            // A well-formed request from the page itself is not an attack, so only the method is valid.
            const wrong = {
              email: [],
              otp: {},
              uri: 5,
              chainId: {},
              type: 7,
              method: 3,
              provider: 'nobody',
              metadata: 1,
              themeMode: 9,
            }
            const needy = [
              'CONNECT_EMAIL',
              'CONNECT_OTP',
              'CONNECT_SOCIAL',
              'GET_SOCIAL_REDIRECT_URI',
              'SWITCH_NETWORK',
              'SET_PREFERRED_ACCOUNT',
              'RPC_REQUEST',
              'UPDATE_EMAIL',
              'UPDATE_EMAIL_PRIMARY_OTP',
              'UPDATE_EMAIL_SECONDARY_OTP',
              'SYNC_DAPP_DATA',
            ]
            return {
              data: { type: `${prefix}${pick(needy)}`, id, payload: chance() < 0.5 ? wrong : pick(nonsense)() },
              ports: [],
            }
          }
          return { data: { ...named, payload: chance() < 0.7 ? pick(wishes) : pick(nonsense)() }, ports: [] }
        }

        const { port1: wake, port2: ring } = new MessageChannel()
        const breath = (): Promise<void> =>
          new Promise((resolve) => {
            wake.onmessage = () => resolve()
            ring.postMessage(0)
          })
        let posted = 0
        while (posted < count) {
          for (let burst = 0; burst < 40 && posted < count; burst++) {
            const { data, ports } = make()
            target?.postMessage(data, origin, ports)
            posted += 1
          }
          await breath()
        }
        return posted
      },
    } satisfies MessageAttack,
  })
  window.addEventListener('message', ({ data }) => {
    if (typeof data === 'object' && data !== null && 'type' in data) window.hostile.received.push(data)
  })
}
