import { frameTexts, type MethodName, type MethodParams, type MethodResult } from '@latchkey/protocol/frame/messages'
import { methodClass } from '@latchkey/protocol/frame/rpcMethods'
import { type Hex, isHex, type LocalAccount, stringToHex } from 'viem'

/** A custom response to a method. Throw to return an error. Return a promise that never settles to simulate a hanging frame. */
export type FrameAnswer<Name extends MethodName> = (
  payload: MethodParams<Name>,
) => MethodResult<Name> | Promise<MethodResult<Name>>

/** Custom responses, keyed by method. */
export type FrameScript = { readonly [Name in MethodName]?: FrameAnswer<Name> }

/** The user and the responses of a simulated frame. */
export interface FrameResponses {
  /** The email address of the logged-in user, or `undefined` if no user is logged in. */
  readonly user: string | undefined
  /** Responds to a request. Throws or rejects to return an error. */
  respond<Name extends MethodName>(name: Name, payload: MethodParams<Name>): unknown
}

/** Creates the responses of a frame. `user` is the email address of the logged-in user, if any. `reload` sends READY again. */
export function createFrameResponses({
  account,
  user: initialUser,
  otp,
  reload,
}: {
  account: LocalAccount
  user: string | undefined
  otp: string
  reload: () => void
}): FrameResponses {
  let user = initialUser
  let pendingEmail: string | undefined
  let chainId: string | number = 1

  const userInfo = () => {
    if (user === undefined) throw new Error('Not logged in.')
    return {
      address: account.address,
      chainId,
      email: user,
      accounts: [{ address: account.address, type: 'eoa' as const }],
      preferredAccountType: 'eoa',
    }
  }
  const switchNetwork = (params: { chainId?: string | number | undefined } | undefined) => {
    const text = String(params?.chainId ?? chainId)
    const evm = /^(?:eip155:)?(\d+)$/.exec(text)?.[1]
    chainId = evm === undefined ? text : Number(evm)
  }

  const responses: { readonly [Name in MethodName]: FrameAnswer<Name> } = {
    SWITCH_NETWORK: (params) => {
      switchNetwork(params)
      return { chainId }
    },
    CONNECT_EMAIL: ({ email }) => {
      pendingEmail = email
      return { action: 'VERIFY_OTP' }
    },
    CONNECT_DEVICE: () => undefined,
    CONNECT_OTP: (params) => {
      if (params.otp !== otp || pendingEmail === undefined) throw new Error(frameTexts.invalidCode)
      user = pendingEmail
    },
    CONNECT_PASSKEY: () => {
      user = 'ada@example.org'
    },
    CONNECT_WINDOW: (params) => {
      user = params?.email ?? 'ada@example.org'
      return params?.provider && { provider: params.provider, userName: 'ada' }
    },
    CONNECT_SOCIAL: (params) => {
      user = 'ada@example.org'
      switchNetwork(params)
      return { ...userInfo(), userName: 'ada' }
    },
    GET_SOCIAL_REDIRECT_URI: ({ provider }) => ({ uri: `https://login.example/authorize?provider=${provider}` }),
    GET_FARCASTER_URI: () => ({ url: 'https://farcaster.example/connect?channel=1' }),
    CONNECT_FARCASTER: () => {
      user = 'ada@example.org'
      return { userName: 'ada' }
    },
    GET_USER: (params) => {
      switchNetwork(params)
      return userInfo()
    },
    SIGN_OUT: () => {
      user = undefined
    },
    IS_CONNECTED: () => ({ isConnected: user !== undefined }),
    GET_CHAIN_ID: () => ({ chainId }),
    GET_SMART_ACCOUNT_ENABLED_NETWORKS: () => ({ smartAccountEnabledNetworks: [1, 31337] }),
    INIT_SMART_ACCOUNT: () => ({ address: account.address, isDeployed: false }),
    SET_PREFERRED_ACCOUNT: ({ type }) => ({ type, address: account.address }),
    RPC_REQUEST: ({ method, params }) => signRequest(account, method, params),
    RPC_ABORT: () => undefined,
    UPDATE_EMAIL: ({ email }) => {
      pendingEmail = email
      return { action: 'VERIFY_PRIMARY_OTP' }
    },
    UPDATE_EMAIL_PRIMARY_OTP: (params) => {
      if (params.otp !== otp) throw new Error(frameTexts.invalidCode)
    },
    UPDATE_EMAIL_SECONDARY_OTP: (params) => {
      if (params.otp !== otp || pendingEmail === undefined) throw new Error(frameTexts.invalidCode)
      user = pendingEmail
      return { newEmail: pendingEmail }
    },
    SYNC_THEME: () => undefined,
    SYNC_DAPP_DATA: () => undefined,
    RELOAD: () => {
      queueMicrotask(() => queueMicrotask(reload))
    },
  }

  return {
    get user() {
      return user
    },
    respond: (name, payload) => responses[name](payload),
  }
}

async function signRequest(account: LocalAccount, method: string, params: unknown): Promise<unknown> {
  if (methodClass(method) === 'refused') throw new Error(frameTexts.notAllowed)
  const [first, second] = Array.isArray(params) ? (params as readonly unknown[]) : []
  if (method === 'personal_sign') {
    const text = String(first)
    return account.signMessage({ message: { raw: isHex(text) ? text : stringToHex(text) } })
  }
  if (method === 'eth_signTypedData_v4') {
    const data: unknown = typeof second === 'string' ? JSON.parse(second) : second
    return account.signTypedData(data as Parameters<LocalAccount['signTypedData']>[0])
  }
  if (method === 'eth_sendTransaction') return `0x${'ab'.repeat(32)}` satisfies Hex
  if (method === 'eth_getBalance') return '0x0'
  if (method === 'wallet_getCapabilities') return { '0x1': { atomic: { status: 'unsupported' } } }
  throw new Error('No response is scripted for this method.')
}
