import type { RpcProxy, SmartAccountUpstreams } from '@latchkey/server'
import type { LocalChain } from '@latchkey/testing'
import {
  type Bundler,
  deployAccountContracts,
  entryPoints,
  startBundler,
  type TestPaymasters,
} from '@latchkey/testing/node'
import { concat, type Hex, hexToBigInt, isHex, pad, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { StaticSite } from './staticSite.ts'

/**
 * The contracts, bundler and paymaster for smart accounts on a local chain. The bundler and paymaster start with their first
 * request.
 */
export interface SmartAccountServices {
  /**
   * Returns the upstreams for the keys server. Fees are sponsored for users of the `sponsored` origins. `service` is the origin
   * of `site`.
   */
  ports(params: { sponsored: readonly string[]; service: string }): SmartAccountUpstreams
  /** The paymaster as a separate service (ERC-7677), for pages that configure their own. */
  readonly site: StaticSite
  /** Deploys the contracts once. Smart account signatures cannot be verified without them. */
  deploy(): Promise<TestPaymasters>
  close(): Promise<void>
}

interface Up {
  readonly bundler: Bundler
  readonly paymasters: TestPaymasters
}

/** Creates the smart account services for a chain. `signerKey` is the key of the account that deploys the contracts. */
export function createSmartAccountServices({
  chain,
  signerKey,
  say,
}: {
  chain: LocalChain
  signerKey: Hex
  say: (line: string) => void
}): SmartAccountServices {
  const name = `eip155:${chain.id}`
  const signer = privateKeyToAccount(signerKey)
  const leaving = new AbortController()
  let starting: Promise<Up> | undefined
  let deploying: Promise<TestPaymasters> | undefined

  const deploy = (): Promise<TestPaymasters> => {
    deploying ??= deployAccountContracts({ chain, say }).catch((error: unknown) => {
      deploying = undefined
      throw error
    })
    return deploying
  }

  const up = (): Promise<Up> => {
    starting ??= (async () => {
      const paymasters = await deploy()
      say('Starting the smart account bundler')
      const bundler = await startBundler({ rpcUrl: chain.rpcUrls.default.http[0], say, signal: leaving.signal })
      return { paymasters, bundler }
    })()
    const now = starting
    // The next request tries again, whether the bundler failed to start or ended later.
    const forget = (): void => {
      if (starting === now) starting = undefined
    }
    now.then(
      ({ bundler }) => void bundler.gone.then(forget),
      (error: unknown) => {
        forget()
        if (!leaving.signal.aborted) say(error instanceof Error ? error.message : 'Could not start smart accounts')
      },
    )
    return now
  }

  const answerTo = async (body: string): Promise<string> => {
    const request: unknown = JSON.parse(body)
    const { id, method, params } = request as { id: unknown; method: string; params: readonly [Operation, Hex, Hex] }
    const { paymasters } = await up()
    const result = await paymasterAnswer({ paymasters, signer, chainId: chain.id, method, params }).catch(
      () => undefined,
    )
    const answer = result ? { result } : { error: { code: -32_602, message: 'This user operation is not sponsored' } }
    return JSON.stringify({ jsonrpc: '2.0', id, ...answer })
  }

  const bundlers: RpcProxy = {
    supported: () => [name],
    send: async (params, body, signal) => {
      if (params !== name) return { kind: 'unsupported' }
      try {
        const { bundler } = await up()
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(bundler.url, { method: 'POST', headers, body, signal })
        return { kind: 'answered', body: await answer.text() }
      } catch {
        return { kind: 'unavailable' }
      }
    },
  }
  const sponsors: RpcProxy = {
    supported: () => [name],
    send: async (params, body) => {
      if (params !== name) return { kind: 'unsupported' }
      try {
        return { kind: 'answered', body: await answerTo(body) }
      } catch {
        return { kind: 'unavailable' }
      }
    },
  }
  return {
    ports: ({ sponsored, service }) => ({
      bundlers,
      sponsors,
      sponsorOrigins: sponsored,
      sponsorDailyPerAccount: 50,
      sponsorDailyPerAddress: 1000,
      sponsorDailyTotal: 5000,
      sponsorMaxCostWei: 10n ** 17n,
      pagePaymasters: [service],
    }),
    site: async (request) => {
      if (request.method !== 'POST') return new Response('A paymaster (ERC-7677)', { status: 405 })
      return new Response(await answerTo(await request.text()), { headers: { 'content-type': 'application/json' } })
    },
    deploy,
    close: async () => {
      leaving.abort()
      await deploying?.catch(() => undefined)
      const found = await starting?.catch(() => undefined)
      await found?.bundler.stop()
    },
  }
}

/** A user operation in JSON-RPC encoding. */
type Operation = Readonly<Record<string, Hex | undefined>> & { readonly sender: Hex }

const limits = { paymasterVerificationGasLimit: '0x249f0', paymasterPostOpGasLimit: '0x4e20' } as const
const lifeSeconds = 60 * 60

/** Handles `pm_getPaymasterStubData` and `pm_getPaymasterData`. Sponsors every user operation. */
async function paymasterAnswer({
  paymasters,
  signer,
  chainId,
  method,
  params: [operation, entryPoint],
}: {
  paymasters: TestPaymasters
  signer: ReturnType<typeof privateKeyToAccount>
  chainId: number
  method: string
  params: readonly [Operation, Hex, ...unknown[]]
}): Promise<object> {
  const version = entryPoint.toLowerCase() === entryPoints['0.7'].toLowerCase() ? '0.7' : '0.8'
  const paymaster = paymasters.addresses[version]
  const until = Math.floor(Date.now() / 1000) + lifeSeconds
  const window = concat([toHex(0, { size: 6 }), toHex(until, { size: 6 })])
  const common = { sponsor: { name: 'The local paymaster' }, paymaster, ...limits }
  if (method === 'pm_getPaymasterStubData')
    return { ...common, paymasterData: concat([window, `0x${'fc'.repeat(32)}${'7a'.repeat(32)}1b`]), isFinal: false }

  const number = (name: string): bigint => {
    const value = operation[name]
    if (!isHex(value)) throw new Error(`${name} is missing`)
    return hexToBigInt(value)
  }
  const two = (high: bigint, low: bigint): Hex =>
    concat([pad(toHex(high), { size: 16 }), pad(toHex(low), { size: 16 })])
  const { factory, factoryData = '0x' } = operation
  const signature = await signer.signTypedData({
    domain: { name: 'TestPaymaster', version: '1', chainId, verifyingContract: paymaster },
    primaryType: 'UserOperationRequest',
    types: { UserOperationRequest: requestType },
    message: {
      sender: operation.sender,
      nonce: number('nonce'),
      // Under EIP-7702, the init code consists of only these two bytes.
      initCode: factory === undefined ? '0x' : factory === '0x7702' ? factory : concat([factory, factoryData]),
      callData: operation.callData ?? '0x',
      accountGasLimits: two(number('verificationGasLimit'), number('callGasLimit')),
      preVerificationGas: number('preVerificationGas'),
      gasFees: two(number('maxPriorityFeePerGas'), number('maxFeePerGas')),
      paymasterVerificationGasLimit: number('paymasterVerificationGasLimit'),
      paymasterPostOpGasLimit: number('paymasterPostOpGasLimit'),
      validAfter: 0,
      validUntil: until,
    },
  })
  return {
    ...common,
    paymasterVerificationGasLimit: operation.paymasterVerificationGasLimit,
    paymasterPostOpGasLimit: operation.paymasterPostOpGasLimit,
    paymasterData: concat([window, signature]),
  }
}

const requestType = [
  { name: 'sender', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'initCode', type: 'bytes' },
  { name: 'callData', type: 'bytes' },
  { name: 'accountGasLimits', type: 'bytes32' },
  { name: 'preVerificationGas', type: 'uint256' },
  { name: 'gasFees', type: 'bytes32' },
  { name: 'paymasterVerificationGasLimit', type: 'uint256' },
  { name: 'paymasterPostOpGasLimit', type: 'uint256' },
  { name: 'validAfter', type: 'uint48' },
  { name: 'validUntil', type: 'uint48' },
] as const
