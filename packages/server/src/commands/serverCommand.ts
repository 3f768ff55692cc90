import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Config, ConfigError, readConfig, variables } from '../config/readConfig.ts'
import { logUncaughtErrors } from '../errors/uncaughtErrors.ts'
import { createLog } from '../monitoring/logger.ts'
import { featureComplaint } from '../projects/projectFeatures.ts'
import { startServer } from '../startServer.ts'
import { databaseProjects } from '../storage/databaseProjects.ts'
import { createMemoryEventBus } from '../storage/eventBus.ts'
import { openConnection } from '../storage/openConnection.ts'
import { keysCommand } from './signingKeysCommand.ts'
import { table, UsageError } from './terminalOutput.ts'

const usage = `latchkey-server                          runs the server
latchkey-server projects list            shows the registered projects
latchkey-server projects add <id>        registers or updates a project
    --name <text>  --origin <pattern> (can be repeated; without it, all origins are allowed)
    --feature <name> or <name>=<a,b> (can be repeated)  --no-analytics
    the features that GET /appkit/v1/config returns to its pages, e.g. social_login=google,email
latchkey-server projects remove <id>     removes a project
    --yes (required for the last one: without projects, the server is open to all pages)
latchkey-server keys list                shows the signing keys
latchkey-server keys rotate <what>       adds a new key: sign-in, verify or secret; users stay signed in
latchkey-server keys retire <name>       removes an older key; its signatures are no longer accepted
    --yes (required while its signatures may still be in use)
latchkey-server --help                   shows this

If no project is registered, all project IDs are accepted. All commands use the database that the variables select, so run them
with the same variables as the server.

Variables:
`

/** The arguments, environment variables and streams of the command line. */
export interface Terminal {
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  out: (text: string) => void
  err: (text: string) => void
  /** Resolves when the server should stop. Resolves to the name of the signal if there was one. */
  stopped: () => Promise<unknown>
}

/** Runs `latchkey-server`. Resolves to the exit code: 0 for success, 1 for a failure, 2 for invalid usage. */
export async function runCommand(terminal: Terminal): Promise<number> {
  try {
    return await dispatch(terminal)
  } catch (error) {
    const bad = error instanceof ConfigError || error instanceof UsageError
    terminal.err(
      `${error instanceof Error ? error.message : 'The server failed.'}${bad ? ' See latchkey-server --help.' : ''}\n`,
    )
    return bad ? 2 : 1
  }
}

async function dispatch(terminal: Terminal): Promise<number> {
  const { args, env, out } = terminal
  const [command, ...rest] = args
  if (command === 'help' || args.includes('--help') || args.includes('-h')) {
    out(`${usage}${table(variables.map(({ name, fallback, meaning }) => [name, fallback || '–', meaning]))}`)
    return 0
  }
  const config = readConfig(env)
  if (command === undefined) return serve(config, terminal)
  if (command === 'projects') return projects(config, rest, terminal)
  if (command === 'keys') return keysCommand({ config, args: parse(rest), out })
  throw new UsageError(`Unknown command "${command}".`)
}

async function serve(config: Config, { out, err, stopped }: Terminal): Promise<number> {
  const log = createLog({ level: config.logLevel, write: err })
  const running = await startServer({ config, log })
  // The listeners are installed only by the command, and only after a successful start: a server that cannot start must exit, and
  // an application that embeds the server handles uncaught errors itself.
  const stopLogging = logUncaughtErrors({ process, log })
  out(
    table([
      ['Latchkey server', running.url],
      ['Wallets', `${running.url}/getWallets`],
      ['Health', `${running.url}/health  /ready${config.metricsToken === undefined ? '' : '  /metrics'}`],
      [
        'Relay',
        config.relay.isOn
          ? `${running.url.replace(/^http/, 'ws')}${config.relay.redisUrl === undefined ? '' : ' over Redis'}`
          : 'off',
      ],
      ['Chains', running.chains.join(' ') || 'none (set RPC_URLS)'],
      ...(config.keys
        ? [
            ['Keys', `${config.keys.url} (point this name at ${running.url})`],
            ['Mail', hostOf(config.keys.smtpUrl)],
          ]
        : []),
      ['Data', databaseName(config)],
      ['Stop', 'Ctrl-C'],
    ]),
  )
  const signal = await stopped()
  log('info', 'stopping')
  // SIGINT comes from a terminal, so there is no load balancer that needs time to notice the shutdown.
  const { clean } = await running.stop({ drains: signal === 'SIGTERM' })
  stopLogging()
  log(clean ? 'info' : 'warn', clean ? 'stopped' : 'stopped while requests were running')
  return 0
}

async function projects(config: Config, args: readonly string[], { out, err }: Terminal): Promise<number> {
  const { positionals, values } = parse(args)
  const database = databaseName(config)
  const isNew = config.databaseUrl === undefined && !existsSync(config.dataFolder)
  const [action, id, ...more] = positionals
  if (more.length > 0) throw new UsageError(`Unexpected argument "${more[0]}".`)
  if (action === 'list') {
    const rows = await withProjects(config, (store) => store.all())
    const lines = rows.map(({ id: name, ...row }) => [
      name,
      row.name,
      row.allowedOrigins.join(' ') || 'any origin',
      row.analytics ? 'analytics' : 'no analytics',
      ...(row.features.length > 0 ? [row.features.join(' ')] : []),
    ])
    out(lines.length > 0 ? table(lines) : `No project is registered in ${database}: all project IDs are accepted.\n`)
    if (isNew) err(newDatabaseWarning(database))
    return 0
  }
  if (action !== 'add' && action !== 'remove') throw new UsageError('"projects" requires list, add or remove.')
  if (!id || !/^[\w.-]{1,128}$/.test(id))
    throw new UsageError('A project ID must have 1 to 128 letters, digits, dots, dashes or underscores.')
  if (action === 'add') {
    const project = {
      id,
      name: values.name ?? id,
      allowedOrigins: (values.origin ?? []).map(checkedPattern),
      features: (values.feature ?? []).map(checkedFeature),
      analytics: !values['no-analytics'],
    }
    await withProjects(config, (store) => store.save(project))
    out(`Project ${id} is registered in ${database}.\n`)
    if (isNew) err(newDatabaseWarning(database))
    return 0
  }
  const { removed, opens } = await withProjects(config, async (store) => {
    const all = await store.all()
    const isLast = all.length === 1 && all[0]?.id === id
    if (isLast && !values.yes) return { removed: false, opens: true }
    return { removed: await store.remove(id), opens: isLast }
  })
  if (opens && !removed)
    throw new UsageError(
      `${id} is the last project. Without it, all project IDs and all pages are accepted. Confirm with --yes.`,
    )
  out(removed ? `Project ${id} is removed from ${database}.\n` : `Project ${id} does not exist in ${database}.\n`)
  if (isNew) err(newDatabaseWarning(database))
  if (opens) out('No project is registered anymore: all project IDs are accepted.\n')
  return removed ? 0 : 1
}

async function withProjects<T>(
  config: Config,
  work: (store: ReturnType<typeof databaseProjects>) => Promise<T>,
): Promise<T> {
  const connection = await openConnection({ config, log: () => {} })
  try {
    return await work(databaseProjects({ connection, bus: createMemoryEventBus() }))
  } finally {
    await connection.close()
  }
}

interface Parsed {
  positionals: string[]
  values: { name?: string; origin?: string[]; feature?: string[]; 'no-analytics'?: boolean; yes?: boolean }
}

function parse(args: readonly string[]): Parsed {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        origin: { type: 'string', multiple: true },
        feature: { type: 'string', multiple: true },
        'no-analytics': { type: 'boolean' },
        yes: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? `${error.message.split('.')[0]}.` : 'Invalid arguments.')
  }
}

function checkedPattern(pattern: string): string {
  if (/^([a-z][a-z0-9+.-]*:\/\/)?[^\s/?#@]+$/i.test(pattern)) return pattern
  throw new UsageError(
    `"${pattern}" is not an origin pattern. Examples: app.example, *.app.example, https://app.example:8443.`,
  )
}

function checkedFeature(feature: string): string {
  const complaint = featureComplaint(feature)
  if (complaint !== undefined) throw new UsageError(complaint)
  return feature
}

/** Returns a name for the database that contains no credentials. */
function databaseName({ databaseUrl, dataFolder }: Config): string {
  return databaseUrl ? `PostgreSQL at ${hostOf(databaseUrl)}` : dataFolder
}

// An operator who runs the command without the server's variables would otherwise believe that the server now knows the project.
function newDatabaseWarning(database: string): string {
  return `${database} did not exist and was created. If your server uses another database, run this command with the server's DATABASE_URL or DATA_DIR.\n`
}

/** Returns the host and port of a URL, which contain no credentials and can therefore be printed. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || 'a local socket' : 'an invalid address'
}
