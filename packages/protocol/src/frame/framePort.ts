import { appPrefix } from './messages.ts'

/** A MessagePort to the frame, which replaces window messages. */
export interface FramePort {
  /** Whether a port is in use. */
  readonly isOpen: boolean
  /** Creates a port and sends its other end to the frame. */
  open(send: (message: unknown, transfer: readonly Transferable[]) => void): void
  /** Sends a message. Returns `false` if there is no port. */
  post(message: unknown): boolean
  close(): void
}

/** Creates a connection without a port. `onMessage` receives the messages of the port in use. */
export function createFramePort(
  newPort: () => Pick<MessageChannel, 'port1' | 'port2'>,
  onMessage: (data: unknown) => void,
): FramePort {
  let port: MessagePort | undefined
  return {
    get isOpen() {
      return port !== undefined
    },
    open(send) {
      const { port1, port2 } = newPort()
      port1.onmessage = ({ data }: MessageEvent) => {
        if (port === port1) onMessage(data)
      }
      send({ type: `${appPrefix}PORT` }, [port2])
      port = port1
    },
    post(message) {
      port?.postMessage(message)
      return port !== undefined
    },
    close() {
      if (!port) return
      port.onmessage = null
      port.close()
      port = undefined
    },
  }
}
