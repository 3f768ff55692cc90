import { expect, test } from 'vitest'
import { groupsOf } from './Address.tsx'
import { amountParts } from './Amount.tsx'
import { lightsOf } from './Avatar.tsx'
import { shortAddress } from './shortAddress.ts'

const address = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'

test('an address split into groups of four keeps every character', () => {
  expect(groupsOf(address)[0]).toBe('0xAb58')
  expect(groupsOf(address).join('')).toBe(address)
  expect(groupsOf('7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q').join('')).toBe(
    '7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q',
  )
})

test('an empty address has no groups, and the last group of an address can be shorter', () => {
  expect([groupsOf(''), groupsOf('0x')]).toEqual([[], []])
  expect(groupsOf('0x12345')).toEqual(['0x1234', '5'])
})

test('a long address is shortened in the middle, and a short one is left unchanged [R9.4]', () => {
  expect(shortAddress(address)).toBe('0xAb58…eC9B')
  expect(shortAddress('0x1234')).toBe('0x1234')
})

test.each([
  ['1234567.891', 2, 'en', '1,234,567', '.', '89', false],
  ['1234567.891', 2, 'de', '1.234.567', ',', '89', false],
  ['0.99999', 4, 'en', '0', '.', '9999', false],
  ['0.00001', 4, 'en', '0', '.', '0001', true],
  ['0', 4, 'en', '0', '.', '', false],
  ['12.5000', 4, 'en', '12', '.', '5', false],
  ['123456789012345678901234567890.1', 4, 'en', '123,456,789,012,345,678,901,234,567,890', '.', '1', false],
])('%s is formatted with up to %i decimals in the %s locale', (value, places, locale, whole, point, decimals, less) => {
  expect(amountParts(value, places, locale)).toEqual({ whole, point, decimals, less })
})

test('the highlight of every avatar is inside its circle, toward the top left', () => {
  const lights = Array.from({ length: 500 }, (_, at) => lightsOf(`0x${(at * 0x9e3779b1).toString(16)}`))
  for (const { x, y } of lights) {
    expect(x).toBeGreaterThanOrEqual(20)
    expect(x).toBeLessThan(60)
    expect(y).toBeGreaterThanOrEqual(15)
    expect(y).toBeLessThan(55)
  }
  expect(new Set(lights.map(({ x, y }) => `${x} ${y}`)).size).toBeGreaterThan(200)
})

test('the three colors of an avatar go from light to dark, and the first two clearly differ in hue', () => {
  for (let at = 0; at < 500; at++) {
    const parts = lightsOf(`0x${(at * 0x9e3779b1).toString(16)}`).colors.map((color) =>
      [...color.matchAll(/\d+/g)].map(Number),
    ) as [number, number, number][]
    const [light, middle, dark] = parts
    for (const [hue] of parts) expect(hue).toBeLessThan(360)
    expect(light?.[2]).toBeGreaterThan(middle?.[2] ?? 0)
    expect(middle?.[2]).toBeGreaterThan(dark?.[2] ?? 0)
    const apart = ((middle?.[0] ?? 0) - (light?.[0] ?? 0) + 360) % 360
    expect(apart).toBeGreaterThanOrEqual(50)
    expect(apart).toBeLessThan(150)
  }
})

test('different addresses have different gradients, and the letter case of an address does not affect its gradient', () => {
  expect(lightsOf(address)).toEqual(lightsOf(address.toLowerCase()))
  expect(lightsOf(address)).not.toEqual(lightsOf('0x0000000000000000000000000000000000000001'))
})
