import { expect, test } from 'vitest'
import type { ActionLimit } from '../rateLimits/actionLimits.ts'
import { type MailRequester, spendMail } from './mailRateLimits.ts'
import { VerificationError } from './verificationError.ts'

const network = '203.0.113.7/32'
const context = { network, networks: [{ name: network, share: 1 }], block: '203.0.113.0/24' }

/**
 * Resolves to the limits that an email for this requester counts against. If `reached` is set, the limit with that action is
 * treated as reached.
 */
async function spentBy(requester: MailRequester, reached?: string): Promise<readonly ActionLimit[]> {
  const spent: ActionLimit[] = []
  await spendMail({
    limits: {
      spend: async (...limits) => {
        for (const limit of limits) {
          if (limit.action === reached) throw new VerificationError('limit/reached', 'Too many')
          spent.push(limit)
        }
      },
    },
    context,
    requester,
    mailsPerHour: 100,
  })
  return spent
}
const actions = (limits: readonly ActionLimit[]): readonly string[] => limits.map(({ action }) => action)

test('unknown browsers never use up the limits of known browsers', async () => {
  const unknown = await spentBy({ email: 'ada@shop.example' })
  const known = await spentBy({ email: 'ada@shop.example', own: 'ada browser', isLong: true })
  expect(actions(unknown).filter((action) => actions(known).includes(action))).toEqual([])
})

test('browsers known for less than a day cannot use up the whole global limit', async () => {
  const recent = await spentBy({ email: 'ada@shop.example', own: 'ada browser' })
  expect(recent).toContainEqual({ action: 'mail-own-new', max: 75, windowMs: 60 * 60_000 })
  expect(actions(await spentBy({ email: 'ada@shop.example', own: 'ada browser', isLong: true }))).not.toContain(
    'mail-own-new',
  )
})

test('one email every 15 minutes is still allowed after a mailbox’s daily limit is reached, but none after any other limit is reached', async () => {
  const spent = await spentBy({ email: 'ada@shop.example' }, 'mail-to-a-day')
  expect(spent).toContainEqual({ action: 'mail-to-slowly', key: 'ada@shop.example', max: 1, windowMs: 15 * 60_000 })
  await expect(spentBy({ email: 'ada@shop.example' }, 'mail-to')).rejects.toThrow('Too many')
})
