import type { Page } from '@playwright/test'
import { PNG } from 'pngjs'
import { decodeQR } from 'qr/decode.js'
import { expect } from './fixtures.ts'

/** Reads the modal's WalletConnect QR code. */
export async function readQrCode(page: Page): Promise<string> {
  await expect(page.getByRole('img', { name: 'QR code for connecting a wallet' })).toBeVisible()
  return scan(page)
}

/** Reads the QR code on a page from a screenshot instead of the DOM, as a camera would. Throws if there is none. */
export async function scan(page: Page): Promise<string> {
  return decodeQR(PNG.sync.read(await page.screenshot({ animations: 'disabled' })))
}
