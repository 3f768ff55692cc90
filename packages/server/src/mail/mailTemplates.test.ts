import { type Language, languages } from '@latchkey/i18n/languages'
import { direction } from '@latchkey/i18n/locale'
import { describe, expect, test } from 'vitest'
import {
  addressChangedMail,
  addressTakenMail,
  approvalMail,
  changePrimaryMail,
  changeSecondaryMail,
  codeMail,
  deviceAddedMail,
  deviceAskedMail,
} from './mailTemplates.ts'

const to = 'ada@shop.example'
const site = 'keys.shop.example'
const url = 'https://keys.shop.example/vault/approve?token=abc&x=1'
const mails = (language: Language) => ({
  code: codeMail({ to, site, language, otp: '123456' }),
  changePrimary: changePrimaryMail({ to, site, language, otp: '123456' }),
  changeSecondary: changeSecondaryMail({ to, site, language, otp: '123456' }),
  approval: approvalMail({ to, site, language, url }),
  addressTaken: addressTakenMail({ to, site, language }),
  addressChanged: addressChangedMail({ to, site, language }),
  deviceAdded: deviceAddedMail({ to, site, language, place: 'Firefox on Linux' }),
  deviceRequested: deviceAskedMail({
    to,
    site,
    language,
    place: 'Firefox on Linux',
    until: Date.UTC(2026, 10, 23, 9, 30),
  }),
})

describe.each(languages)('emails in %s', (language) => {
  const all = mails(language)

  test('have no unfilled placeholders and declare the language and direction of their text', () => {
    for (const [name, { subject, text, html }] of Object.entries(all)) {
      expect(`${subject}${text}`, name).not.toMatch(/[{}]/)
      expect(html, name).toContain(`<html lang="${language}" dir="${direction(language)}">`)
    }
  })

  test('contain the code, the link and the names unchanged', () => {
    for (const { text, html } of [all.code, all.changePrimary, all.changeSecondary]) {
      expect(text).toMatch(/^123456$/m)
      expect(html).toMatch(/<p dir="ltr"[^>]*>123456<\/p>/)
    }
    expect(all.approval.text.split('\n')).toContain(url)
    expect(all.approval.html).toContain('href="https://keys.shop.example/vault/approve?token=abc&amp;x=1"')
    expect(all.deviceRequested.text).toContain('Firefox on Linux')
    expect(all.deviceRequested.text).toContain('2026-11-23 09:30 UTC')
    expect(all.deviceRequested.text).toContain('keys.shop.example/wallet')
  })

  test('include an English version if they warn the owner about another browser', () => {
    const { addressTaken, addressChanged, deviceAdded, deviceRequested, ...requested } = all
    const english = mails('en')
    expect(addressTaken.text).toContain(english.addressTaken.text)
    expect(addressChanged.text).toContain(english.addressChanged.text)
    expect(deviceAdded.text).toContain(english.deviceAdded.text)
    expect(deviceRequested.text).toContain(english.deviceRequested.text)
    expect(deviceRequested.subject).toContain(english.deviceRequested.subject)
    if (language === 'en') return
    for (const mail of Object.values(requested)) expect(mail.text).not.toMatch(/\b(email|browser|account)\b/)
    expect(deviceRequested.html).toContain('<div lang="en" dir="ltr"')
  })
})
