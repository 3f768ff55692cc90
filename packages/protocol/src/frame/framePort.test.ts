import { expect, test } from 'vitest'
import { createFramePort } from './framePort.ts'

function framePort() {
  const received: unknown[] = []
  const sent: [unknown, readonly Transferable[]][] = []
  const ports: Pick<MessageChannel, 'port1' | 'port2'>[] = []
  const port = createFramePort(
    () => {
      const channel = { port1: { postMessage: (data: unknown) => sent.push([data, []]), close() {} }, port2: {} }
      return ports[ports.push(channel as unknown as MessageChannel) - 1] as MessageChannel
    },
    (data) => received.push(data),
  )
  const open = () => port.open((message, transfer) => sent.push([message, transfer]))
  const deliver = (index: number, data: unknown) => ports[index]?.port1.onmessage?.({ data } as never)
  return { port, received, sent, ports, open, deliver }
}

test('messages are sent through the port once its other end has been sent to the frame', () => {
  const { port, sent, ports, open } = framePort()
  expect([port.post('early'), port.isOpen]).toEqual([false, false])
  open()
  expect([port.post('hello'), port.isOpen]).toEqual([true, true])
  expect(sent).toEqual([
    [{ type: '@w3m-app/PORT' }, [ports[0]?.port2]],
    ['hello', []],
  ])
})

test('only messages from the port in use are received', () => {
  const { port, received, open, deliver } = framePort()
  open()
  deliver(0, 'first')
  open()
  deliver(0, 'replaced')
  deliver(1, 'second')
  port.close()
  deliver(1, 'closed')
  expect(received).toEqual(['first', 'second'])
  expect(port.isOpen).toBe(false)
})
