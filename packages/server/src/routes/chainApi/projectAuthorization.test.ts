import { testAccounts } from '@latchkey/testing'
import { expect, test } from 'vitest'
import type { AccountNames } from '../../chainApi/chainApiTypes.ts'
import { inMemoryProjects } from '../../inMemoryDependencies.ts'
import { chainApiServer } from '../../testing/chainApiServer.ts'

// The chain API on a server with registered projects.

const [alice] = testAccounts
const unused = async (): Promise<never> => Promise.reject(new Error('not used'))
const names: AccountNames = {
  zone: 'shop.example',
  find: async () => undefined,
  findByAddress: async () => [],
  suggestions: async () => [],
  register: unused,
  setAttributes: unused,
  setAddress: unused,
}
const { server } = chainApiServer({
  chains: [],
  names,
  projects: inMemoryProjects([
    { id: 'shop', name: 'Shop', allowedOrigins: ['https://shop.example'], features: [], analytics: true },
    { id: 'other', name: 'Other', allowedOrigins: ['https://other.example'], features: [], analytics: true },
  ]),
})

async function ask(path: string, { origin, body, header }: { origin?: string; body?: object; header?: string } = {}) {
  const headers = { ...(origin ? { origin } : {}), ...(header ? { 'x-project-id': header } : {}) }
  const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers }
  const response = await server(new Request(`http://connect.test/v1/${path}`, init))
  const { reasons } = (await response.json()) as { reasons?: [{ field: string }] }
  return reasons ? `${response.status} ${reasons[0].field}` : String(response.status)
}

const reverse = (projectId: string) => `profile/reverse/${alice.address}?apiVersion=2&projectId=${projectId}`
const shop = 'https://shop.example'

test('an unknown project ID, or a page whose origin the project does not allow, gets 401', async () => {
  expect(await ask(reverse('shop'), { origin: shop })).toBe('200')
  expect(await ask(reverse('nobody'), { origin: shop })).toBe('401 projectId')
  expect(await ask(reverse('shop'), { origin: 'https://other.example' })).toBe('401 origin')
  expect(await ask(`profile/reverse/${alice.address}?apiVersion=2`, { origin: shop })).toBe('401 projectId')
  expect(await ask(`profile/reverse/${alice.address}?apiVersion=2`, { origin: shop, header: 'shop' })).toBe('200')
})

test('price and swap requests send the project ID in the body', async () => {
  const body = { projectId: 'shop', currency: 'usd', addresses: ['eip155:1:0x12'] }
  // The project ID is accepted. The request then fails because this server has no chains.
  expect(await ask('fungible/price', { origin: shop, body })).toBe('503 addresses')
  expect(await ask('fungible/price', { origin: shop, body: { ...body, projectId: 'nobody' } })).toBe('401 projectId')
  expect(await ask('fungible/price', { origin: 'https://other.example', body })).toBe('401 origin')
  expect(await ask('convert/build-transaction', { origin: shop, body: { projectId: 'nobody' } })).toBe('401 projectId')
})

test('names can be registered without a project ID from any registered project’s page', async () => {
  for (const path of [
    'profile/account',
    'profile/account/alice.shop.example/attributes',
    'profile/account/alice.shop.example/address',
  ]) {
    expect(await ask(path, { origin: shop, body: {} })).toBe('422 message')
    expect(await ask(path, { origin: 'https://other.example', body: {} })).toBe('422 message')
    expect(await ask(path, { origin: 'https://evil.example', body: {} })).toBe('401 origin')
    expect(await ask(path, { body: {} })).toBe('401 origin')
    expect(await ask(`${path}?projectId=nobody`, { origin: shop, body: {} })).toBe('401 projectId')
  }
})

test('the ENS gateway needs no project ID', async () => {
  // The 503 comes from the missing signing key, not from the missing project ID.
  expect(await ask(`profile/gateway/${alice.address}/0x12`)).toBe('503 name')
})

test('without a configured onramp provider, the options are empty, so pages do not offer to buy crypto', async () => {
  const response = await server(
    new Request('http://connect.test/v1/onramp/options?projectId=shop', { headers: { origin: shop } }),
  )
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ paymentCurrencies: [], purchaseCurrencies: [], providers: [] })
  const body = { purchaseCurrency: 'ETH', paymentAmount: '10', paymentCurrency: 'USD', paymentMethod: 'CARD' }
  expect(await ask('onramp/quote?projectId=shop', { origin: shop, body })).not.toMatch(/^2/)
})
