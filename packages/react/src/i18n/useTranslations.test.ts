import { modalLocales } from '@latchkey/i18n/modalLocales'
import { expect, test } from 'vitest'
import { viewMessages } from '../views/viewMessages.ts'
import { buttonMessages } from './buttonMessages.ts'
import { messages } from './messages.ts'
import { createTranslator } from './useTranslations.ts'

test('placeholders are filled in, and their names are checked against the English message', () => {
  const t = createTranslator('en', messages)
  expect(t('button.network', { name: 'Base' })).toBe('Network: Base')
  expect(t('modal.close')).toBe('Close')
  // @ts-expect-error: the network's name is missing
  t('button.network')
  // @ts-expect-error: there is no such message
  expect(t('no.such')).toBe('no.such')
})

test('plural forms and number formats depend on the language', async () => {
  const [{ modal: de }, { modal: ar }] = await Promise.all([modalLocales.de(), modalLocales.ar()])
  expect(createTranslator('en', viewMessages).plural('allWallets.count', 1)).toBe('1 wallet')
  expect(createTranslator('en', viewMessages).plural('allWallets.count', 1234)).toBe('1,234 wallets')
  expect(createTranslator('de', de).plural('allWallets.count', 1234)).toBe('1.234 Wallets')
  expect(createTranslator('ar', ar).plural('allWallets.count', 2)).toBe('محفظتان')
  expect(createTranslator('ar', ar).direction).toBe('rtl')
})

test('the catalog contains the button messages', () => {
  expect(messages).toMatchObject(buttonMessages)
})
