import { appPrefix } from './messages.ts'

/** A MessagePort to the frame, which replaces window messages. */
export interface FramePort {
  /** Whether a port is in use. */
  readonly isOpen: boolean
  /** Creates a port and passes its other end to `send`, which transfers it to the frame. */
  open(send: (message: unknown, transfer: readonly Transferable[]) => void): void
  /** Sends a message through the port. Returns `false` if no port is open. */
  post(message: unknown): boolean
  close(): void
}

/** Creates a `FramePort` that is not open yet. `onMessage` is called with each message from the open port. */
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
