import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { expect, test } from 'vitest'
import { createRecords } from '../storage/storageSchema.ts'
import { memoryStorage } from '../testing/index.ts'
import { createWalletLinks } from './walletLinks.ts'

const wallet: Wallet = { id: 'pocket', name: 'Pocket', mobile_link: 'pocket://', webapp_link: 'https://pocket.example' }

function linksOf({ hasFocus = true } = {}) {
  const storage = memoryStorage()
  const records = createRecords({ storage: () => storage, log: { warn() {} } })
  const opened: string[] = []
  const page = {
    document: { hasFocus: () => hasFocus },
    navigator: { userAgent: 'Mozilla/5.0 (Linux; Android 15) Mobile', maxTouchPoints: 5 },
    location: { hash: '', href: 'https://shop.example/', origin: 'https://shop.example' },
    open: (url: string) => void opened.push(url),
  } as unknown as Window
  Object.assign(page, { parent: page })
  const links = createWalletLinks({
    page,
    records,
    log: { warn() {} },
    universalLinks: true,
    mobile: () => true,
    track: () => {},
  })
  return { links, records, opened }
}

test('a wallet has a link only for the methods that it supports', () => {
  const { links } = linksOf()
  const offer = { uri: 'wc:1@2?symKey=s3cret', expiresAt: 0 }
  expect(links.link({ wallet, by: 'mobile', offer })?.url).toMatch(/^pocket:\/\/wc\?uri=wc%3A1/)
  expect(links.link({ wallet, by: 'web', offer })).toMatchObject({ target: '_blank' })
  expect(links.link({ wallet, by: 'desktop', offer })).toBeUndefined()
})

test('the link to a wallet app is stored without the pairing, and is opened again for a request', () => {
  const { links, records, opened } = linksOf()
  links.store({ wallet, by: 'mobile', name: 'Pocket' })
  expect(records.deepLink.get()).toEqual({ href: 'pocket://', name: 'Pocket' })
  links.openStored({ requestId: 7, topic: 'abc' })
  expect(opened).toEqual([expect.stringMatching(/^pocket:\/\/wc\?requestId=7&sessionTopic=abc/)])
  links.store({ wallet, by: 'qrcode', name: 'Pocket' })
  expect(records.deepLink.get()).toBeUndefined()
})

test('no link is opened if the page is not focused', () => {
  const { links, opened } = linksOf({ hasFocus: false })
  expect(links.open({ url: 'pocket://wc', target: '_self' })).toBe(false)
  expect(opened).toEqual([])
})
