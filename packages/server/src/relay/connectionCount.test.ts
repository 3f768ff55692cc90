import { expect, test } from 'vitest'
import { createConnectionCount } from './connectionCount.ts'

const client = { clientId: 'client', groups: [{ name: 'network', share: 1 }], project: undefined }

function countAt({ hasRoom = true } = {}) {
  const log: string[] = []
  const named = (groups: readonly { name: string }[]): string => groups.map(({ name }) => name).join()
  const count = createConnectionCount({
    open: async (groups) => {
      log.push(`open ${named(groups)}`)
      return hasRoom
    },
    close: (groups) => void (groups.length > 0 && log.push(`close ${named(groups)}`)),
    end: async () => {},
  })
  return { ...count, log }
}

test('a connection is subtracted once, no matter how often it closes', async () => {
  const { open, close, log } = countAt()
  expect(await open(client)).toBe(client)
  close()
  close()
  expect(log).toEqual(['open network', 'close network'])
})

test('a connection that closes while it is being counted is subtracted', async () => {
  const { open, close, log } = countAt()
  const opening = open(client)
  close()
  await opening
  expect(log).toEqual(['open network', 'close network'])
})

test('a connection that exceeds the limit is rejected and not subtracted', async () => {
  const { open, close, log } = countAt({ hasRoom: false })
  await expect(open(client)).rejects.toMatchObject({ tag: 'TooManyRequests' })
  close()
  expect(log).toEqual(['open network'])
})

test('a relay with a single instance does not count connections', async () => {
  const { open, close } = createConnectionCount(undefined)
  expect(await open(client)).toBe(client)
  close()
})
