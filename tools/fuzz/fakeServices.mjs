// Minimal fakes of the services that a server depends on: a node that answers every call, and a mail server that accepts every
// message.

import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'

/**
 * Starts both services. Resolves to the environment variables for a server with every feature enabled.
 * @param {{ folder: string, port: number }} options
 */
export async function startSurroundings({ folder, port }) {
  const node = createHttpServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json').end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
    })
  })
  const mail = createServer((socket) => {
    let isData = false
    socket.on('error', () => {}).write('220 mail\r\n')
    socket.on('data', (data) => {
      for (const line of String(data).split('\r\n')) {
        if (isData && line !== '.') continue
        if (line === '') continue
        const isEnd = isData
        isData = /^DATA/i.test(line)
        socket.write(isData ? '354 go on\r\n' : /^QUIT/i.test(line) && !isEnd ? '221 bye\r\n' : '250 ok\r\n')
      }
    })
  })
  const [nodePort, mailPort] = await Promise.all([listen(node), listen(mail)])
  const url = `http://127.0.0.1:${nodePort}`
  const hosts = {
    connect: `connect.demo.localhost:${port}`,
    keys: `keys.demo.localhost:${port}`,
    identify: `id.demo.localhost:${port}`,
  }
  return {
    hosts,
    env: {
      PORT: String(port),
      DATA_DIR: folder,
      KEYS_URL: `http://${hosts.keys}`,
      IDENTIFY_URL: `http://${hosts.identify}`,
      SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
      MAIL_FROM: 'shop@shop.example',
      MAILS_PER_HOUR: '1000000',
      RPC_URLS: `eip155:1=${url};eip155:10=${url};solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp=${url}`,
      BUNDLER_URLS: `eip155:1=${url}`,
      PAYMASTER_URLS: `eip155:1=${url}`,
      PAGE_PAYMASTERS: url,
      SMART_SESSIONS: 'on',
      FARCASTER: 'on',
      AUTH_SECRET: 'a secret of the fuzz, which is long enough',
      METRICS_TOKEN: 'a token of the fuzz',
      SIGN_IN_TRANSPORT: 'token',
      // Disable the rate limits, so that they do not block requests.
      RATE_PER_ADDRESS: '0',
    },
    close: async () => {
      node.closeAllConnections()
      await Promise.all([node, mail].map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

/** Resolves to a free port. */
export async function freePort() {
  const probe = createServer()
  const port = await listen(probe)
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/**
 * @param {import('node:net').Server} server
 * @returns {Promise<number>}
 */
function listen(server) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}

/**
 * Returns the body schemas from modules that define contract routes, keyed by method and path.
 * @param {readonly Record<string, any>[]} modules
 * @returns {Map<string, unknown>}
 */
export function schemasOf(modules) {
  const routes = modules.flatMap((module) => Object.values(module)).filter((value) => value?.method && value?.path)
  return new Map(routes.map(({ method, path, body }) => [`${method} ${path}`, body]))
}
