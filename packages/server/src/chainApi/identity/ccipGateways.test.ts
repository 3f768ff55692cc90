import { expect, test } from 'vitest'
import type { PublicFetch } from '../../http/publicFetch.ts'
import { createCcipGateways } from './ccipGateways.ts'

const { signal } = new AbortController()
const sender = '0xABCDEF0000000000000000000000000000000001'

function gateways(answer: (url: string) => string) {
  const sent: { url: string; body: string | undefined }[] = []
  const publicFetch: PublicFetch = async (url, { body }) => {
    sent.push({ url, body })
    return answer(url)
  }
  return { ...createCcipGateways({ publicFetch, signal }), sent }
}

test('a URL with {data} receives a GET request, and one without it a POST request', async () => {
  const { request, sent, hasFailed } = gateways(() => '{"data":"0x12"}')
  expect(await request({ sender, data: '0xab', urls: ['https://a.example/{sender}/{data}.json'] })).toBe('0x12')
  expect(await request({ sender, data: '0xab', urls: ['https://a.example/{sender}'] })).toBe('0x12')
  expect(sent).toEqual([
    { url: `https://a.example/${sender.toLowerCase()}/0xab.json`, body: undefined },
    { url: `https://a.example/${sender.toLowerCase()}`, body: JSON.stringify({ data: '0xab', sender }) },
  ])
  expect(hasFailed()).toBe(false)
})

test('the next gateway is tried if one fails, but only a few of them, and only a few times for one name', async () => {
  const urls = Array.from({ length: 100 }, (_, at) => `https://${at}.example/{data}`)
  const { request, sent, hasFailed } = gateways((url) => (url.startsWith('https://1.') ? '{"data":"0x"}' : 'nonsense'))
  expect(await request({ sender, data: '0xab', urls })).toBe('0x')
  expect(sent).toHaveLength(2)
  expect(hasFailed()).toBe(false)
  const failing = gateways(() => 'nonsense')
  await expect(failing.request({ sender, data: '0xab', urls })).rejects.toThrow('No gateway responded')
  expect(failing.sent).toHaveLength(4)
  for (let at = 0; at < 5; at++) await failing.request({ sender, data: '0xab', urls }).catch(() => {})
  expect(failing.sent).toHaveLength(8)
  expect(failing.hasFailed()).toBe(true)
})
