import type { Server as NodeServer } from 'node:http'
import type { ListenerConfig } from '../config/listenerConfig.ts'

/** Listens on the configured port. If that port is taken and was not set explicitly, listens on the next free port. */
export async function listenOnPort(
  listener: NodeServer,
  { host, port, portIsFixed }: Pick<ListenerConfig, 'host' | 'port' | 'portIsFixed'>,
): Promise<void> {
  const ports = portIsFixed ? [port] : [...Array.from({ length: 20 }, (_, step) => port + step), 0]
  for (const candidate of ports) {
    const taken = await tryPort(listener, host, candidate)
    if (!taken) return
  }
  throw new Error(`Port ${port} on ${host} is already in use.`)
}

function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const { code } = error
  if (code === 'EACCES')
    return new Error(`This user is not allowed to listen on port ${port}: set PORT to 1024 or higher.`, {
      cause: error,
    })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL')
    return new Error(
      `HOST is ${host}, which is not an address of this machine (${code}). Use 0.0.0.0 to listen on all addresses.`,
      {
        cause: error,
      },
    )
  return error
}

function tryPort(listener: NodeServer, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      listener.off('listening', listening)
      if (error.code === 'EADDRINUSE') resolve(true)
      else reject(listenFailure(error, host, port))
    }
    const listening = () => {
      listener.off('error', failed)
      resolve(false)
    }
    listener.once('error', failed)
    listener.once('listening', listening)
    listener.listen(port, host)
  })
}
