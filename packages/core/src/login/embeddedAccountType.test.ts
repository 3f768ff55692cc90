import { expect, test } from 'vitest'
import { createRecords } from '../storage/storageSchema.ts'
import { memoryStorage } from '../testing/index.ts'
import { embeddedAccountType } from './embeddedAccountType.ts'

test('the user’s account type takes precedence over the host’s, and the host’s over the default', () => {
  const storage = memoryStorage()
  const records = createRecords({ storage: () => storage, log: { warn() {} } })
  expect(embeddedAccountType('eip155', { options: {}, records })).toBe('smartAccount')
  expect(embeddedAccountType('cosmos', { options: {}, records })).toBe('eoa')
  const options = { defaultAccountTypes: { eip155: 'eoa' } }
  expect(embeddedAccountType('eip155', { options, records })).toBe('eoa')
  records.accountTypes.set({ eip155: 'smartAccount' })
  expect(embeddedAccountType('eip155', { options, records })).toBe('smartAccount')
})
