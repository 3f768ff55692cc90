import { parseArgs } from 'node:util'
import { type DevEnvironment, startDevEnvironment } from './devEnvironment.ts'
import { envLines } from './environmentInfo.ts'

/** The terminal that `latchkey-dev` runs in. */
export interface DevTerminal {
  /** The command-line arguments, without the command. */
  readonly args: readonly string[]
  /** Prints results, usually to stdout. */
  readonly out: (text: string) => void
  /** Prints progress and, if the arguments are invalid, the usage. Usually writes to stderr. */
  readonly err: (text: string) => void
  /** Resolves when the user stops the command. */
  readonly stopped: () => Promise<unknown>
  /** The environment variables. With `NODE_ENV=production`, nothing is started. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

const usage = `latchkey-dev                   starts local chains, funded accounts, a test token and the server
    --port <number>            port of the server [4100, or the next free port]
    --origin <origin>          the origin of your app, if it is not on localhost or has sponsored fees (can be repeated)
    --env-prefix <prefix>      prefix for the names of the printed variables, such as VITE_ or NEXT_PUBLIC_
    --site <folder>            a built app to serve at demo.localhost, with a strict CSP
    --wallet <folder>          the built web wallet, to serve at wallet.demo.localhost
    --frame <folder>           a built key frame [the package's]
    --identify                 enables visitor identification at id.demo.localhost
    --data <folder>            data folder of the server [./.latchkey/dev]
`

const refusal = `latchkey-dev does not start with NODE_ENV=production, because its keys are public and anyone can log in with any email address.
In production, run latchkey-server.
`

/**
 * Runs the dev environment until it is stopped. Resolves to the exit code.
 *
 * @example
 * process.exitCode = await runDev({
 *   args: process.argv.slice(2),
 *   out: (text) => process.stdout.write(text),
 *   err: (text) => process.stderr.write(text),
 *   stopped: () => new Promise((resolve) => process.once('SIGINT', resolve)),
 * })
 */
export async function runDev({ args, out, err, stopped, env = {} }: DevTerminal): Promise<number> {
  const options = read(args)
  if (options === undefined) {
    err(usage)
    return 2
  }
  if (options.help) {
    out(usage)
    return 0
  }
  if (env.NODE_ENV === 'production') {
    err(refusal)
    return 1
  }
  let leaving = false
  const stop = stopped().then(() => {
    leaving = true
  })
  const environment = await startDevEnvironment({
    say: (line) => err(`› ${line}\n`),
    ...(options.port === undefined ? {} : { port: options.port }),
    origins: options.origins,
    ...(options.site === undefined ? {} : { site: options.site }),
    ...(options.wallet === undefined ? {} : { wallet: options.wallet }),
    ...(options.frame === undefined ? {} : { frame: options.frame }),
    identify: options.identify,
    ...(options.data === undefined ? {} : { dataFolder: options.data }),
  }).catch((error: unknown) => {
    // Ctrl-C also ends the chain processes, which can cause startup errors. They are expected.
    if (leaving) return undefined
    throw error
  })
  if (environment === undefined) return 0
  out(`\n${table(rows(environment, options))}\n`)
  out(`\n${options.site === undefined ? envFile(environment, options.envPrefix) : firstSignature(environment)}\n`)
  await stop
  await environment.stop()
  return 0
}

/** Returns instructions for the first signature. */
const firstSignature = ({ facts }: DevEnvironment): string =>
  `To sign something: open ${facts.demo} and connect the test wallet, or log in with any email address and the
code from ${facts.mail}. Order something and pay; you can also sign the receipt.`

/** Returns the environment variables for an app that is served elsewhere. */
const envFile = ({ facts }: DevEnvironment, prefix: string): string =>
  `For the .env of your app:\n\n${envLines(facts, prefix).join('\n')}

Open your app at http://demo.localhost:<its port>, so that it is on the same site as the key frame.`

interface DevOptions {
  readonly help: boolean
  readonly identify: boolean
  readonly origins: readonly string[]
  readonly envPrefix: string
  readonly port?: number | undefined
  readonly site?: string | undefined
  readonly wallet?: string | undefined
  readonly frame?: string | undefined
  readonly data?: string | undefined
}

function read(args: readonly string[]): DevOptions | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        port: { type: 'string' },
        origin: { type: 'string', multiple: true, default: [] },
        'env-prefix': { type: 'string', default: '' },
        site: { type: 'string' },
        wallet: { type: 'string' },
        frame: { type: 'string' },
        identify: { type: 'boolean', default: false },
        data: { type: 'string' },
      },
    })
    const port = values.port === undefined ? undefined : Number(values.port)
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536)) return undefined
    const origins = values.origin.flatMap((text) => originOf(text) ?? [])
    if (origins.length < values.origin.length) return undefined
    const { help, identify, 'env-prefix': envPrefix, site, wallet, frame, data } = values
    return { help, identify, origins, envPrefix, port, site, wallet, frame, data }
  } catch {
    return undefined
  }
}

/** Returns the origin in the form that browsers send, or `undefined` if `text` is not just an origin. */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { origin, href, protocol } = new URL(text)
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined
}

function rows(
  { facts }: DevEnvironment,
  { site, wallet }: Pick<DevOptions, 'site' | 'wallet'>,
): readonly (readonly [string, string])[] {
  const [account] = facts.accounts
  return [
    ...(site !== undefined
      ? ([
          ['Demo', facts.demo],
          ['Gallery', `${facts.demo}/gallery`],
        ] as const)
      : []),
    ...(wallet !== undefined ? ([['Test wallet', `${facts.wallet}  (pair it in a second tab)`]] as const) : []),
    ['Server', facts.connect],
    ['Key frame', facts.keys],
    ['Inbox', facts.mail],
    ['Social logins', facts.login],
    ['Buying crypto', facts.buy],
    ['Paymaster', facts.paymaster],
    ...facts.chains.map(({ id, name, rpcUrls }) => [`Chain ${id}`, `${rpcUrls.default.http[0]}  (${name})`] as const),
    ['Test token', `${facts.token.address}  (${facts.token.symbol}, on ${facts.token.chainId})`],
    ['On Solana', `${facts.solana.token.address}  (${facts.solana.token.symbol})`],
    ...(account
      ? ([
          ['Funded account', account.address],
          ['Its key', `${account.privateKey}  (public: for this machine only)`],
        ] as const)
      : []),
    ['Stop', 'Ctrl-C'],
  ]
}

function table(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([name]) => name.length)) + 2
  return lines.map(([name, value]) => `${name.padEnd(width)}${value}\n`).join('')
}
