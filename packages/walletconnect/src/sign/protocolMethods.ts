/** The publish options for a method: tags, TTLs in seconds, and whether the method triggers a push notification. */
export interface PublishOptions {
  readonly tag: number
  readonly ttl: number
  readonly prompt?: true
  readonly response: { readonly tag: number; readonly ttl: number }
  /** The tag of an error response. */
  readonly errorTag?: number
}

/** A method of the sign protocol. */
export type Method =
  | 'wc_pairingDelete'
  | 'wc_pairingPing'
  | 'wc_sessionPropose'
  | 'wc_sessionSettle'
  | 'wc_sessionUpdate'
  | 'wc_sessionExtend'
  | 'wc_sessionRequest'
  | 'wc_sessionEvent'
  | 'wc_sessionDelete'
  | 'wc_sessionPing'
  | 'wc_sessionAuthenticate'

const day = 86_400

/** The methods of the sign protocol and their publish options. */
export const methods: Readonly<Record<Method, PublishOptions>> = {
  wc_pairingDelete: { tag: 1000, ttl: day, response: { tag: 1001, ttl: day } },
  wc_pairingPing: { tag: 1002, ttl: 30, response: { tag: 1003, ttl: 30 } },
  wc_sessionPropose: { tag: 1100, ttl: 300, prompt: true, response: { tag: 1101, ttl: 300 }, errorTag: 1120 },
  wc_sessionSettle: { tag: 1102, ttl: 300, response: { tag: 1103, ttl: 300 } },
  wc_sessionUpdate: { tag: 1104, ttl: day, response: { tag: 1105, ttl: day } },
  wc_sessionExtend: { tag: 1106, ttl: day, response: { tag: 1107, ttl: day } },
  wc_sessionRequest: { tag: 1108, ttl: 300, prompt: true, response: { tag: 1109, ttl: 300 } },
  wc_sessionEvent: { tag: 1110, ttl: 300, prompt: true, response: { tag: 1111, ttl: 300 } },
  wc_sessionDelete: { tag: 1112, ttl: day, response: { tag: 1113, ttl: day } },
  wc_sessionPing: { tag: 1114, ttl: day, response: { tag: 1115, ttl: day } },
  wc_sessionAuthenticate: { tag: 1116, ttl: 3_600, prompt: true, response: { tag: 1117, ttl: 3_600 }, errorTag: 1118 },
}

/** Whether `name` is a method of the protocol. */
export function isMethod(name: string): name is Method {
  return Object.hasOwn(methods, name)
}

/** The error codes of the sign protocol (WalletConnect 2.0). */
export const reasons = {
  invalidMethod: { code: 1001, message: 'Invalid method.' },
  invalidEvent: { code: 1002, message: 'Invalid event.' },
  invalidUpdate: { code: 1003, message: 'Invalid session update request.' },
  invalidExtend: { code: 1004, message: 'Invalid session extend request.' },
  invalidSettle: { code: 1005, message: 'Invalid session settle request.' },
  unauthorizedMethod: { code: 3001, message: 'Unauthorized method.' },
  unauthorizedEvent: { code: 3002, message: 'Unauthorized event.' },
  unauthorizedUpdate: { code: 3003, message: 'Unauthorized session update.' },
  unauthorizedExtend: { code: 3004, message: 'Unauthorized session extend.' },
  userRejected: { code: 5000, message: 'User rejected.' },
  unsupportedChains: { code: 5100, message: 'Unsupported chains.' },
  unsupportedMethods: { code: 5101, message: 'Unsupported methods.' },
  unsupportedNamespace: { code: 5104, message: 'Unsupported namespace key.' },
  userDisconnected: { code: 6000, message: 'User disconnected.' },
  requestExpired: { code: 8000, message: 'Session request expired.' },
  unsupported: { code: 10001, message: 'Unsupported wc_ method.' },
} as const

/** An error code and message, as sent to the other peer. */
export interface Reason {
  /** An error code from the sign protocol (see `reasons`), EIP-1193 or JSON-RPC. */
  readonly code: number
  /** A description for developers. Do not trust a message from another peer. */
  readonly message: string
}
