import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createHostRouter } from './hostRouter.ts'
import type { Server } from './http/routeList.ts'

const serverOf = (name: string): Server =>
  Object.assign(async () => new Response(name), { routes: [{ method: 'GET', path: `/${name}` }] })

function routerOf(upgraded: string[] = []) {
  return createHostRouter({
    connect: serverOf('connect'),
    keys: { origin: 'https://keys.shop.example', server: serverOf('keys') },
    identify: { origin: 'https://id.shop.example:8443', server: serverOf('identify') },
    relay: { upgrade: ({ headers }) => void upgraded.push(headers.host ?? '') },
    callerOf: (_, peer) => peer,
  })
}

test.each([
  ['keys.shop.example', 'keys'],
  ['KEYS.shop.example', 'keys'],
  ['keys.shop.example:8443', 'connect'],
  ['id.shop.example:8443', 'identify'],
  ['id.shop.example', 'connect'],
  ['other.example', 'connect'],
])('a request for %s reaches the %s server', async (host, name) => {
  const response = await routerOf().fetch(new Request('http://127.0.0.1/', { headers: { host } }))
  expect(await response.text()).toBe(name)
})

test('lists each route with its origin', () => {
  expect(routerOf().routes.map(({ origin, path }) => `${origin} ${path}`)).toEqual([
    'connect /connect',
    'keys /keys',
    'identify /identify',
  ])
})

test('the relay accepts connections on every host except that of the keys origin', () => {
  const upgraded: string[] = []
  const { upgrade } = routerOf(upgraded)
  const connect = (host: string): string => {
    const socket = new PassThrough()
    upgrade({ headers: { host } } as IncomingMessage, socket, Buffer.alloc(0))
    return String(socket.read() ?? '')
  }
  expect(connect('relay.shop.example')).toBe('')
  expect(connect('Keys.shop.example')).toContain('404')
  expect(upgraded).toEqual(['relay.shop.example'])
})
