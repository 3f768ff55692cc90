import type { ConnectorContext, EmbeddedWalletClient, SignInOnLogin } from '@latchkey/core/adapter'
import { type ChainId, type Namespace, namespaceOf } from '@latchkey/protocol/caip'
import { chainFromWire, type SocialUser } from '@latchkey/protocol/frame/messages'
import type { EmbeddedFrame } from './embeddedFrame.ts'
import { rpcUrlOf } from './frameUrl.ts'
import { popupLoginFinished } from './popupLogin.ts'
import { prepareSignIn, siwxOf } from './prepareSignIn.ts'
import type { PageDataSync } from './syncPageData.ts'

/** The result of a social login, which the next connection uses. */
export interface SocialLoginResult {
  readonly user: SocialUser
  readonly chain: ChainId
  readonly signIn: SignInOnLogin | undefined
}

/** Runs social logins and stores the result of the latest one for the next connection. */
export interface SocialLogin {
  readonly connect: EmbeddedWalletClient['connectSocial']
  /** Removes the stored result. Returns it if its account belongs to `namespace`, and `undefined` otherwise. */
  take(namespace: Namespace): SocialLoginResult | undefined
  clear(): void
}

/** Creates social login for a wallet. */
export function createSocialLogin({
  frame,
  setup,
  host,
}: {
  readonly frame: Pick<EmbeddedFrame, 'mount' | 'isClosed'>
  readonly setup: Pick<PageDataSync, 'done'>
  readonly host: Pick<ConnectorContext, 'accountType' | 'clock' | 'log' | 'network' | 'records' | 'signInOnLogin'>
}): SocialLogin {
  let result: SocialLoginResult | undefined

  return {
    async connect(uri, options = {}) {
      await setup.done(options.signal)
      const network = host.network()
      const rpcUrl = rpcUrlOf(network)
      const { channel } = frame.mount()
      // Our frames receive the sign-in message later, in GET_USER, once the user is known.
      const signIn =
        network && channel.speaks === 'window'
          ? await prepareSignIn(host, network.caipNetworkId, options.signal)
          : undefined
      const connecting = channel.ask(
        'CONNECT_SOCIAL',
        {
          uri,
          ...(network && {
            chainId: network.caipNetworkId,
            preferredAccountType: host.accountType(network.chainNamespace),
          }),
          ...(rpcUrl !== undefined && { rpcUrl }),
          ...(signIn && { siwxMessage: siwxOf(signIn) }),
        },
        options,
      )
      const response = connecting.then((user) => {
        const chain = chainFromWire(user.chainId)
        if (chain) result = { user, chain, signIn }
      })
      if (channel.speaks !== 'port') return response
      const wasLoggedIn = host.records.emailUsed.get() !== undefined
      await Promise.race([response, popupLoginFinished({ frame, response, wasLoggedIn, clock: host.clock })])
    },
    take(namespace) {
      const taken = result
      result = undefined
      return taken && namespaceOf(taken.chain) === namespace ? taken : undefined
    },
    clear() {
      result = undefined
    },
  }
}
