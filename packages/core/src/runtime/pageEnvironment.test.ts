import { expect, test } from 'vitest'
import { fakeAdapter, fakeAuthentication } from '../testing/index.ts'
import { pageEnvironment } from './pageEnvironment.ts'

const log = { warn() {} }

test('a server requires a project ID, and sign-in requires a server or an authentication adapter', () => {
  const server = 'https://connect.example'
  expect(pageEnvironment({ server, signIn: 'required' }, log)).toMatchObject({ server: undefined, signsIn: false })
  expect(pageEnvironment({ server, projectId: 'shop', signIn: 'required' }, log)).toMatchObject({
    server: { url: server, projectId: 'shop' },
    listsAllWallets: true,
    signsIn: true,
  })
  expect(pageEnvironment({ authentication: fakeAuthentication(), signIn: 'optional' }, log).signsIn).toBe(true)
  expect(pageEnvironment({ authentication: fakeAuthentication() }, log).signsIn).toBe(false)
  const features = { allWallets: false }
  expect(pageEnvironment({ server, projectId: 'shop', features }, log).listsAllWallets).toBe(false)
})

test('the namespaces are taken from the adapters, and the platform from the host’s options', () => {
  const environment = pageEnvironment({ adapters: [fakeAdapter(), fakeAdapter()], platform: 'mobile' }, log)
  expect(environment.namespaces).toEqual(['eip155'])
  expect(environment.mobile()).toBe(true)
})
