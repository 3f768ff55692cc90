import { expect, test } from 'vitest'
import { createUsage, type Owner } from './quotaUsage.ts'

const owner = (name: string, max = 100, share = 1): Owner => ({ name, share, max })

test('a holder that has left is never the heaviest, nor is an owner that has no holders left', () => {
  const usage = createUsage<string>({ max: 100 })
  const stays = usage.enter([owner('network'), owner('client'), owner('1')], 'stays')
  const sameClient = usage.enter([owner('network'), owner('client'), owner('2')], 'same client')
  const sameNetwork = usage.enter([owner('network'), owner('neighbor'), owner('3')], 'same network')
  const elsewhere = usage.enter([owner('elsewhere'), owner('stranger'), owner('4')], 'elsewhere')
  // If several holders use the same amount, the latest one is treated as the heaviest.
  expect(stays.heaviestAt(0)).toBe('elsewhere')
  elsewhere.leave()
  expect(stays.heaviestAt(0)).toBe('same network')
  sameNetwork.leave()
  expect(stays.heaviestAt(0)).toBe('same client')
  sameClient.leave()
  expect(stays.heaviestAt(0)).toBe('stays')
  stays.leave()
  expect(stays.heaviestAt(0)).toBeUndefined()
})

test('leaving releases what the holder uses but not what other holders use', () => {
  const usage = createUsage<string>({ max: 100 })
  const path = (name: string): Owner[] => [owner('network', 50), owner('client', 30), owner(name, 20)]
  const [first, second] = [usage.enter(path('1'), 'one'), usage.enter(path('2'), 'two')]
  first.add(10)
  second.add(20)
  expect([usage.total, first.amount, second.amount]).toEqual([30, 10, 20])
  first.leave()
  expect(usage.total).toBe(20)
  const three = usage.enter(path('3'), 'three')
  expect([10, 11, 21, 31, 81].map((amount) => three.exceededBy(amount))).toEqual([
    [],
    [2],
    [2, 3],
    [1, 2, 3],
    [0, 1, 2, 3],
  ])
  expect(three.heaviestAt(2)).toBe('two')
})

test('isLighter() compares a holder with the heaviest other holder at the point where their owners diverge', () => {
  const usage = createUsage<string>({ max: 100 })
  const alone = usage.enter([owner('network', 100, 4), owner('client'), owner('1')], 'alone')
  expect(alone.isLighter(0, 10)).toBe(false)
  alone.add(40)
  const other = usage.enter([owner('other'), owner('stranger'), owner('2')], 'other')
  // The network has four shares, so its use of 40 counts as 10.
  expect([9, 10].map((amount) => other.isLighter(0, amount))).toEqual([true, false])
  const sibling = usage.enter([owner('network', 100, 4), owner('client'), owner('3')], 'sibling')
  expect([39, 40].map((amount) => sibling.isLighter(0, amount))).toEqual([true, false])
  expect([39, 40].map((amount) => sibling.isLighter(2, amount))).toEqual([true, false])
})
