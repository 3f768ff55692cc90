import { embedded } from '@latchkey/adapters/embedded'
import { evm } from '@latchkey/adapters/evm'
import { walletConnect } from '@latchkey/adapters/walletconnect'
import type { AuthenticationAdapter, LatchkeyOptions, SignInSession } from '@latchkey/core'
import { localSignIn, type SiweSession, siwe } from '@latchkey/core/sign-in'
import { type ContractSignature, callThrough, eip155Verifier } from '@latchkey/siwx/verify/eip155'
import { type Chain, verifyMessage } from 'viem'

/** The fields of `/environment.json` that the pages use. */
export interface PageWorld {
  readonly connect: string
  readonly relay: string
  readonly projectId: string
  readonly chains: readonly [Chain, Chain]
}

/**
 * Returns a page's options for the local environment's chains and server. Query parameters can extend the options:
 *
 * - `options`: additional options as JSON
 * - `frame`: the URL of an embedded wallet's frame
 * - `relay`: enables WalletConnect through the given relay URLs, or through the local relay if the value is empty
 * - `authentication`: enables sign-in without a server (`no` rejects every signature, `siwe` uses SIWE callbacks, `local` uses
 *   `localSignIn`)
 */
export function optionsFor(world: PageWorld): LatchkeyOptions {
  const searchParams = new URLSearchParams(location.search)
  const [optionsJson, frame] = [searchParams.get('options'), searchParams.get('frame')]
  const [first, ...more] = (searchParams.get('relay') || world.relay).split(',') as [string, ...string[]]
  return {
    app: { name: 'Host page' },
    server: world.connect,
    projectId: world.projectId,
    adapters: [evm({ chains: world.chains })],
    wallets: [
      ...(frame ? [embedded({ url: frame })] : []),
      ...(searchParams.has('relay') ? [walletConnect({ relay: [first, ...more], projectId: world.projectId })] : []),
    ],
    ...(searchParams.has('authentication')
      ? { signIn: 'optional', authentication: authenticationFor(searchParams.get('authentication'), world) }
      : {}),
    ...(optionsJson ? (JSON.parse(optionsJson) as LatchkeyOptions) : {}),
  }
}

function authenticationFor(name: string | null, world: PageWorld): AuthenticationAdapter {
  if (name === 'siwe') return classic()
  if (name !== 'local') return authentication()
  const call = callThrough({
    rpcUrl: (chain) => world.chains.find(({ id }) => chain === `eip155:${id}`)?.rpcUrls.default.http[0],
  })
  // A contract account in an embedded wallet is not deployed until its first transaction.
  const undeployed = async (params: ContractSignature): Promise<boolean> =>
    (await import('@latchkey/siwx/verify/erc6492')).verifyErc6492(params)
  const verifiers = { eip155: eip155Verifier({ call, undeployed }) }
  return localSignIn({ verifiers, statement: 'Sign in to the host page.' })
}

/** Returns SIWE callbacks that do not need a server. */
function classic(): AuthenticationAdapter {
  let session: SiweSession | undefined
  return siwe({
    getNonce: async () => crypto.randomUUID().replaceAll('-', ''),
    async verifyMessage({ message, signature }) {
      const [, address = ''] = message.split('\n')
      const good = await verifyMessage({
        address: address as `0x${string}`,
        message,
        signature: signature as `0x${string}`,
      })
      if (good) session = { address, chainId: Number(message.match(/^Chain ID: (\d+)$/m)?.[1]) }
      return good
    },
    getSession: async () => session,
    async signOut() {
      session = undefined
      return true
    },
  })
}

/** Returns an authentication adapter that does not need a server. It stores sessions in the page, where tests can read them. */
function authentication(): AuthenticationAdapter {
  const believes = new URLSearchParams(location.search).get('authentication') !== 'no'
  const nonce = crypto.randomUUID().replaceAll('-', '')
  let stored: readonly SignInSession[] = []
  const own: AuthenticationAdapter = {
    createMessage: async () => ({
      domain: location.host,
      uri: location.href,
      version: '1',
      nonce,
      statement: 'Sign in to the host page.',
    }),
    addSession: (session) => own.setSessions([session]),
    async getSessions(account) {
      return stored.filter(({ data }) => `${data.chainId}:${data.accountAddress}` === account)
    },
    async revokeSession(account) {
      stored = stored.filter(({ data }) => `${data.chainId}:${data.accountAddress}` !== account)
    },
    async setSessions(sessions: readonly SignInSession[]) {
      for (const { data, message, signature } of sessions) {
        const good = await verifyMessage({
          address: data.accountAddress as `0x${string}`,
          message,
          signature: signature as `0x${string}`,
        })
        const ours = data.nonce === nonce && data.domain === location.host
        if (!good || !ours || !believes) throw new Error('The signature is not accepted.')
      }
      stored = sessions
      Object.assign(window, { signedIn: sessions.map(({ data }) => `${data.chainId}:${data.accountAddress}`) })
    },
  }
  return own
}
