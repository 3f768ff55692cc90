import { uiStyles } from '@latchkey/ui'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { PublicError } from '../publicError.ts'
import { CodeForm } from './EmailCodeForm.tsx'
import type { WalletPageController } from './walletPageController.ts'

let takeAway = (): void => {}
afterEach(() => takeAway())

/** Renders the form after a code was requested. `answers` returns the result for each submitted code. */
async function drawForm(answers: (otp: string) => Promise<unknown>) {
  const place = document.createElement('div')
  document.body.append(place)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(uiStyles)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  const root = createRoot(place)
  takeAway = () => {
    root.unmount()
    place.remove()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((styleSheet) => styleSheet !== sheet)
  }
  const codes: string[] = []
  const controller = { mailCode: async () => 'code' } as unknown as WalletPageController
  const onCode = (otp: string): Promise<unknown> => {
    codes.push(otp)
    return answers(otp)
  }
  root.render(<CodeForm controller={controller} again={false} email="ada@example.org" onCode={onCode} atOnce />)
  const field = page.getByRole('textbox', { name: '6-digit code' })
  await expect.element(field).toHaveFocus()
  return { field, codes }
}

test('submits a typed code only once, as soon as it has six digits', async () => {
  const { codes } = await drawForm(() => new Promise(() => undefined))
  await userEvent.keyboard('12345')
  expect(codes).toEqual([])
  await userEvent.keyboard('6')
  expect(codes).toEqual(['123456'])
  await userEvent.keyboard('{Enter}7')
  expect(codes).toEqual(['123456'])
})

test('typing replaces a rejected code, and after an outage, the same code can be submitted again', async () => {
  const sentence = 'The service cannot be reached'
  const { field, codes } = await drawForm(async (otp) => {
    throw new PublicError(otp === '000000' ? 'Invalid code' : sentence)
  })
  await field.fill('000000')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Invalid code')
  await userEvent.keyboard('654321')
  await expect.element(page.getByRole('alert')).toHaveTextContent(sentence)
  await page.getByRole('button', { name: 'Continue' }).click()
  expect(codes).toEqual(['000000', '654321', '654321'])
})
