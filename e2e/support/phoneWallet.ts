import {
  type AuthenticateEvent,
  type Cacao,
  type Client,
  createClient,
  createResponder,
  type GrantedNamespaces,
  memoryStorage,
  messageOf,
  type Proposal,
  type Responder,
  type Socket,
  type WalletSessions,
  walletSessions,
} from '@latchkey/walletconnect'
import { createWalletClient, http, type TransactionRequest } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'
import type { World } from './fixtures.ts'

/** Simulates a wallet on the user's phone: our client in the wallet role, running in Node, with the user's decisions scripted. */
export interface PhoneWallet {
  readonly client: Client
  readonly responder: Responder
  readonly wallet: WalletSessions
  readonly address: `0x${string}`
  /** The user's decision on subsequent requests. Defaults to `'yes'`. */
  decision: 'yes' | 'no' | 'nothing'
  /** The session proposals received so far. */
  readonly proposals: readonly Proposal[]
  /** The methods requested so far. */
  readonly methods: readonly string[]
  /** Pairs with the URI from a scanned QR code. */
  scan(uri: string): Promise<void>
  close(): void
}

const metadata = { name: 'Pocket', description: 'For a test', url: 'https://pocket.example', icons: [] }

/** Creates a phone wallet that uses the private key of test account `account`. */
export async function createPhoneWallet(
  world: World,
  {
    account: at = 0,
    signsIn = false,
    // Node does not resolve `*.localhost`.
    relay = `ws://127.0.0.1:${world.port}`,
  }: {
    account?: number
    /** Whether the wallet signs the user in while connecting, instead of only connecting. */
    signsIn?: boolean
    /** The relay to connect to. Defaults to the test environment's relay. */
    relay?: string | readonly [string, ...string[]]
  } = {},
): Promise<PhoneWallet> {
  const account = privateKeyToAccount(world.facts.accounts[at]?.privateKey as `0x${string}`)
  const client = await createClient({
    metadata,
    relay,
    projectId: 'local',
    storage: memoryStorage(),
    connect: (url) => new WebSocket(url) as unknown as Socket,
  })
  const { rpc, sessions } = client
  const responder = createResponder(rpc, sessions)
  const proposals: Proposal[] = []
  const methods: string[] = []
  const phone: PhoneWallet = {
    client,
    responder,
    wallet: walletSessions(rpc, sessions),
    address: account.address,
    decision: 'yes',
    proposals,
    methods,
    scan: (uri) => responder.pair(uri),
    close: () => client.close(),
  }

  const grant = ({ optionalNamespaces: { eip155 } }: Proposal): GrantedNamespaces => {
    const { chains = [], methods = [], events = [] } = eip155 ?? {}
    return { eip155: { chains, methods, events, accounts: chains.map((chain) => `${chain}:${account.address}`) } }
  }
  responder.on('proposal', ({ id, proposal }) => {
    proposals.push(proposal)
    if (phone.decision === 'yes') void responder.approve(id, { namespaces: grant(proposal) })
    if (phone.decision === 'no') void responder.reject(id)
  })
  const signIn = ({ id, payload }: AuthenticateEvent): void => {
    if (phone.decision === 'nothing') return
    if (phone.decision === 'no') return void responder.reject(id)
    const sign = async (chain: string): Promise<Cacao> => {
      const { chains: _, type: __, ...words } = payload
      const p = { ...words, iss: `did:pkh:${chain}:${account.address}` }
      return {
        h: { t: 'caip122' },
        p,
        s: { t: 'eip191', s: await account.signMessage({ message: messageOf(p, p.iss) }) },
      }
    }
    void Promise.all(payload.chains.map(sign)).then((cacaos) => responder.signIn(id, cacaos))
  }
  if (signsIn) responder.on('signIn', signIn)

  const answer = async (method: string, params: unknown, chainId: string): Promise<unknown> => {
    const [first, second] = params as readonly [unknown, unknown]
    const chain = world.facts.chains.find(({ id }) => `eip155:${id}` === chainId)
    switch (method) {
      case 'personal_sign':
        return account.signMessage({ message: { raw: first as `0x${string}` } })
      case 'eth_signTypedData_v4':
        return account.signTypedData(JSON.parse(second as string))
      case 'eth_sendTransaction': {
        const { from: _, gas: __, gasPrice: ___, ...rest } = first as TransactionRequest
        const wallet = createWalletClient({
          account,
          chain: chain as never,
          transport: http(chain?.rpcUrls.default.http[0]),
        })
        return wallet.sendTransaction({
          ...(rest as { to: `0x${string}` }),
          value: rest.value === undefined ? undefined : BigInt(rest.value),
        } as never)
      }
      default:
        throw new Error(`This phone does not support ${method}`)
    }
  }
  client.sessions.on('request', ({ id, session: { topic }, request: { chainId, request } }) => {
    methods.push(request.method)
    if (phone.decision === 'nothing') return
    const to = { topic, id }
    if (phone.decision === 'no') return void responder.respond(to, { error: { code: 5000, message: 'User rejected.' } })
    answer(request.method, request.params, chainId).then(
      (result) => responder.respond(to, { result }),
      (error: Error) => responder.respond(to, { error: { code: -32000, message: error.message } }),
    )
  })
  return phone
}
