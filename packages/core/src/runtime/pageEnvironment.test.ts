import { expect, test } from 'vitest'
import { fakeAdapter, fakeAuthentication } from '../testing/index.ts'
import { pageEnvironment } from './pageEnvironment.ts'

test('a server requires a project ID, and sign-in requires a server or an authentication adapter', () => {
  const server = 'https://connect.example'
  expect(pageEnvironment({ server, signIn: 'required' })).toMatchObject({ server: undefined, signsIn: false })
  expect(pageEnvironment({ server, projectId: 'shop', signIn: 'required' })).toMatchObject({
    server: { url: server, projectId: 'shop' },
    listsAllWallets: true,
    signsIn: true,
  })
  expect(pageEnvironment({ authentication: fakeAuthentication(), signIn: 'optional' }).signsIn).toBe(true)
  expect(pageEnvironment({ authentication: fakeAuthentication() }).signsIn).toBe(false)
  const features = { allWallets: false }
  expect(pageEnvironment({ server, projectId: 'shop', features }).listsAllWallets).toBe(false)
})

test('the namespaces are taken from the adapters, and the platform from the host’s options', () => {
  const environment = pageEnvironment({ adapters: [fakeAdapter(), fakeAdapter()], platform: 'mobile' })
  expect(environment.namespaces).toEqual(['eip155'])
  expect(environment.mobile()).toBe(true)
})
