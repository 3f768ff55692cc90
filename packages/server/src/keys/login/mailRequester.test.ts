import { expect, test } from 'vitest'
import { spendMail } from '../../emailCodes/mailRateLimits.ts'
import type { ActionLimit } from '../../rateLimits/actionLimits.ts'
import { approvedMailRequester, mailRequester } from './mailRequester.ts'

const network = '203.0.113.7/32'
const context = { network, networks: [{ name: network, share: 1 }], block: '203.0.113.0/24', browser: () => 'browser' }

test('a browser known to the mailbox has its own counter, but an unknown browser does not', async () => {
  const known = { known: async () => ({ isLong: true }) }
  expect(await mailRequester(known, context, 'ada@shop.example')).toMatchObject({
    own: 'ada@shop.example browser',
    isLong: true,
  })
  expect(await mailRequester({ known: async () => undefined }, context, 'ada@shop.example')).toEqual({
    email: 'ada@shop.example',
  })
})

test('the code sent after an approval link does not count against the mailbox again', async () => {
  const spent: ActionLimit[] = []
  const requester = approvedMailRequester(context, 'ada@shop.example')
  const limits = { spend: async (...all: readonly ActionLimit[]) => void spent.push(...all) }
  await spendMail({ limits, context, requester, mailsPerHour: 100 })
  expect(spent.find(({ action }) => action === 'mail-own-to-new')).toMatchObject({ key: null })
})
