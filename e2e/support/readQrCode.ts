import type { Page } from '@playwright/test'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { expect } from './fixtures.ts'

/** Reads the QR code from a screenshot instead of the DOM, as a camera would. */
export async function readQrCode(page: Page): Promise<string> {
  await expect(page.getByRole('img', { name: 'QR code for connecting a wallet' })).toBeVisible()
  const { data, width, height } = PNG.sync.read(await page.screenshot({ animations: 'disabled' }))
  const read = jsqr(new Uint8ClampedArray(data), width, height)
  if (!read) throw new Error('No QR code was found in the screenshot')
  return read.data
}
