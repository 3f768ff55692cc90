import { expect, test } from 'vitest'
import { createPrompts } from './prompts.ts'

const prompt = { method: 'personal_sign', params: [], account: `0x${'1'.repeat(40)}`, chainId: 1 } as const
const switching = { ...prompt, method: 'wallet_switchEthereumChain' }

test('either all prompts or only the prompts of one method can be declined', async () => {
  const prompts = createPrompts()
  expect(await prompts.decide(prompt)).toBe(true)
  prompts.decline('personal_sign')
  expect([await prompts.decide(prompt), await prompts.decide(switching)]).toEqual([false, true])
  prompts.approve()
  prompts.decline()
  expect([await prompts.decide(prompt), await prompts.decide(switching)]).toEqual([false, false])
})

test('`ask` decides the prompts that the script does not decline', async () => {
  const shown: string[] = []
  const prompts = createPrompts(async ({ method }) => {
    shown.push(method)
    return false
  })
  expect(await prompts.decide(prompt)).toBe(false)
  prompts.decline()
  await prompts.decide(switching)
  expect(shown).toEqual(['personal_sign'])
})

test('held prompts are decided together, and abandoned prompts are never decided', async () => {
  const prompts = createPrompts()
  prompts.hold()
  const abandoned: boolean[] = []
  void prompts.decide(switching).then((isApproved) => abandoned.push(isApproved))
  prompts.abandon()
  const held = prompts.decide(prompt)
  expect(prompts.waiting).toEqual([prompt])
  prompts.release('decline')
  expect([await held, await prompts.decide(prompt), abandoned]).toEqual([false, true, []])
})
