import { expect, test } from 'vitest'
import { createEmbeddedFrame } from './embeddedFrame.ts'
import { createPageDataSync } from './syncPageData.ts'
import { harness } from './testing/harness.ts'

function page(params: Parameters<typeof harness>[0] = {}) {
  const fixture = harness(params)
  const { host, options } = fixture
  let changeTheme = (): void => undefined
  const followed = {
    ...host,
    onTheme(listener: () => void) {
      changeTheme = listener
      return () => (changeTheme = () => undefined)
    },
  }
  const frame = createEmbeddedFrame({ options, host, rpcUrl: () => undefined })
  const setup = createPageDataSync({ frame, host: followed, projectId: 'own' })
  return { ...fixture, setup, changeTheme: () => changeTheme() }
}

const requestNames = ({ frame }: Pick<ReturnType<typeof page>, 'frame'>) => frame.requests.map(({ name }) => name)

test('runs the setup once with the frame’s project ID', async () => {
  const wallet = page()
  const done = [wallet.setup.done(), wallet.setup.done()]
  await wallet.pass(500)
  await Promise.all(done)
  expect(requestNames(wallet)).toEqual(['SYNC_DAPP_DATA', 'SYNC_THEME', 'GET_SMART_ACCOUNT_ENABLED_NETWORKS'])
  expect(wallet.frame.requests[0]?.payload).toMatchObject({ projectId: 'own' })
  expect(wallet.records.smartAccountNetworks.get()).toEqual(['1', '31337'])
})

test('sends theme changes to the frame between the setup and stop()', async () => {
  const wallet = page()
  wallet.changeTheme()
  const done = wallet.setup.done()
  await wallet.pass(500)
  await done
  wallet.changeTheme()
  await wallet.pass(0)
  expect(requestNames(wallet).slice(3)).toEqual(['SYNC_THEME'])
  wallet.setup.stop()
  wallet.changeTheme()
  await wallet.pass(0)
  expect(requestNames(wallet)).toHaveLength(4)
})

test('notifies a caller that the frame is late only while the caller is waiting', async () => {
  const wallet = page({ loads: false })
  const events: string[] = []
  const controller = new AbortController()
  const left = wallet.setup.done(controller.signal, () => events.push('left'))
  const waits = wallet.setup.done(undefined, () => events.push('waits'))
  for (const done of [left, waits]) done.catch(() => undefined)
  controller.abort()
  await expect(left).rejects.toMatchObject({ code: 'frame/aborted' })
  await wallet.pass(5_000)
  expect(events).toEqual(['waits'])
})
