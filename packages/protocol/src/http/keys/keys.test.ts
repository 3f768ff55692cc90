import * as v from 'valibot'
import { expect, test } from 'vitest'
import { pathOf } from '../url.ts'
import {
  deleteDevice,
  getDevices,
  keysFailure,
  keysFailures,
  postDevice,
  postEmail,
  postEmailCode,
  postSocial,
  postTransfer,
  putRecord,
} from './index.ts'

const reads = (schema: v.GenericSchema | undefined, value: unknown): boolean =>
  schema !== undefined && v.safeParse(schema, value).success

const parsed = (schema: v.GenericSchema | undefined, value: unknown): unknown => schema && v.parse(schema, value)

test.each([
  ['ada@shop.example', true],
  [' ada@shop.example ', true],
  ['ada@shop', false],
  ['ada@bücher.example', true],
  ["o'neil@shop.example", true],
  ['ada shop@shop.example', false],
  ['ada,bob@shop.example', false],
  ['Ada <ada@shop.example>', false],
  ['ada@shop.example\r\nbcc: eve@evil.example', false],
  [`${'a'.repeat(250)}@shop.example`, false],
  [['ada@shop.example'], false],
])('the email address %j is accepted: %s', (email, taken) => {
  expect(reads(postEmail.body, { email })).toBe(taken)
})

test.each(['12345', '1234567', '12345a', '１２３４５６', 123456])('the code %j is rejected', (otp) => {
  expect(reads(postEmailCode.body, { otp: '123456' })).toBe(true)
  expect(reads(postEmailCode.body, { otp })).toBe(false)
})

test('every write requires the user ID', () => {
  expect(reads(putRecord.body, { record: '{}', expectedVersion: 0 })).toBe(false)
  expect(reads(putRecord.body, { userId: 'u1', record: '{}', expectedVersion: 0 })).toBe(true)
  expect(reads(putRecord.body, { userId: 'u1', record: '{}', expectedVersion: -1 })).toBe(false)
  expect(reads(postDevice.body, { deviceId: 'd1', name: 'Laptop' })).toBe(false)
})

test('fields that earlier frames sent are ignored', () => {
  const device = { userId: 'u1', deviceId: 'd1', name: 'Laptop' }
  expect(parsed(postDevice.body, { ...device, publicKey: 'AAAA' })).toEqual(device)
  expect(parsed(postTransfer.body, { name: 'Laptop', commitment: 'AAAA' })).toEqual({ commitment: 'AAAA' })
})

test('the response with the devices does not need the public keys that earlier frames require', () => {
  const device = { id: 'd1', name: 'Laptop', createdAt: 1, lastUsedAt: 1, revokedAt: null, isThis: true }
  expect(parsed(getDevices.answer, { devices: [device] })).toEqual({ devices: [device] })
  expect(parsed(getDevices.answer, { devices: [{ ...device, publicKey: null }] })).toEqual({ devices: [device] })
})

test('a key half must be exactly 32 bytes long', () => {
  expect(reads(postDevice.answer, { serverHalf: 'A'.repeat(43) })).toBe(true)
  expect(reads(postDevice.answer, { serverHalf: 'A'.repeat(42) })).toBe(false)
})

test('an error must have a known code, and every code maps to an error status', () => {
  expect(reads(keysFailure, { code: 'code/wrong', message: 'Wrong code', triesLeft: 4 })).toBe(true)
  expect(reads(keysFailure, { code: 'code/strange', message: 'Wrong code' })).toBe(false)
  for (const status of Object.values(keysFailures)) expect(status).toBeGreaterThanOrEqual(400)
})

test('parameters are filled into the path', () => {
  expect(pathOf(postSocial, { params: { provider: 'google' } })).toBe('/vault/social/google')
  expect(pathOf(deleteDevice, { params: { id: '../me' } })).toBe('/vault/devices/..%2Fme')
})
