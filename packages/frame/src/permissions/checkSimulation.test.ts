import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import type { Simulation } from '../decoders/simulateCalls.ts'
import { checkSimulation } from './checkSimulation.ts'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const friend = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const abi = parseAbi(['function transfer(address to, uint256 amount)'])
const transfer = (amount: bigint) => ({
  to: token as Hex,
  value: 0n,
  data: encodeFunctionData({ abi, args: [friend, amount] }),
})
const payment = { to: friend as Hex, value: 3n, data: '0x' as Hex }
const other = { to: token as Hex, value: 0n, data: '0x12345678' as Hex }
const unavailable = { simulation: { kind: 'unavailable' }, tellsAll: false } as const
const done = (changes: Extract<Simulation, { kind: 'done' }>['changes']) => ({
  simulation: { kind: 'done', changes, rights: [], isComplete: true, canLoseMore: false, tellsCoin: true } as const,
  tellsAll: false,
})

test('transfers are covered without a simulation, and other contract calls are not', () => {
  expect(checkSimulation(unavailable, [payment])).toBe(true)
  expect(checkSimulation(unavailable, [transfer(5n)])).toBe(true)
  expect(checkSimulation(unavailable, [payment, transfer(5n)])).toBe(true)
  expect(checkSimulation(unavailable, [other])).toBe(false)
  expect(checkSimulation(unavailable, [transfer(5n), other])).toBe(false)
})

test('the outgoing assets must not exceed the sum of the transfers, and the address’s case does not matter', () => {
  const calls = [transfer(5n), transfer(2n), payment]
  const moved = (amount: bigint) => done([{ kind: 'token', token: token.toLowerCase() as Hex, amount }])
  expect(checkSimulation(moved(-7n), calls)).toBe(true)
  expect(checkSimulation(moved(-8n), calls)).toBe(false)
  expect(checkSimulation(moved(8n), calls)).toBe(true)
  expect(checkSimulation(done([{ kind: 'token', token: friend, amount: -1n }]), calls)).toBe(false)
  expect(checkSimulation(done([{ kind: 'coin', amount: -3n }]), calls)).toBe(true)
  expect(checkSimulation(done([{ kind: 'coin', amount: -4n }]), calls)).toBe(false)
})
