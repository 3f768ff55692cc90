import { webcrypto } from 'node:crypto'
import { base58 } from '@scure/base'
import { accountButton, expect, test } from './support/fixtures.ts'
import { approve, codeFor, type FramePage, openFramePage } from './support/framePage.ts'
import { askSolana, lamportsOf, transferOf } from './support/solanaTransfer.ts'

// The frame signs transactions for LiteSVM, which runs Solana's own runtime and rejects invalid signatures.

// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/status of (401|422)/, /Unrecognized feature: 'bluetooth'/]) })

const someone = (name: string) => `${name}-${Date.now().toString(36)}@solana.example`
const anybody = () => base58.encode(webcrypto.getRandomValues(new Uint8Array(32)))

test.describe('with window messages', () => {
  let framePage: FramePage
  let from: string
  let url: string
  let chainId: string

  test.beforeEach(async ({ page, world }) => {
    ;({ url, chainId } = world.facts.solana)
    framePage = await openFramePage(page, world)
    await framePage.logIn(someone('plain'))
    from = (await framePage.request('GET_USER', { chainId })).payload.address
    await askSolana(url, 'requestAirdrop', [from, 3_000_000_000])
  })

  const requestOf = (method: string, params: unknown) => ({
    method,
    params,
    chainId: chainId.slice('solana:'.length),
    chainNamespace: 'solana',
  })
  const signatureIn = (transaction: string) => base58.encode(base58.decode(transaction).slice(1, 65))

  test('the frame signs a transaction, which the page sends to the network [R6.4]', async () => {
    const to = anybody()
    const transaction = await transferOf(url, { from, to, lamports: 1_000_000_000 })
    await framePage.start('sign', requestOf('solana_signTransaction', { transaction }))
    await expect(framePage.frame.getByText('Local Solana')).toBeVisible()
    await expect(framePage.frame.getByText('1 SOL')).toBeVisible()
    await approve(framePage.frame, 'Sign')
    const { payload } = await framePage.response('sign')
    expect(await lamportsOf(url, to)).toBe(0)
    expect(await askSolana(url, 'sendTransaction', [payload.transaction])).toBe(signatureIn(payload.transaction))
    expect(await lamportsOf(url, to)).toBe(1_000_000_000)
  })

  test('the frame signs several transactions with one approval, and can send a transaction itself [R6.4]', async () => {
    const [first, second, third] = [anybody(), anybody(), anybody()]
    const transactions = [
      await transferOf(url, { from, to: first, lamports: 890_881 }),
      await transferOf(url, { from, to: second, lamports: 990_882 }),
    ]
    await framePage.start('all', requestOf('solana_signAllTransactions', { transactions }))
    await approve(framePage.frame, 'Sign')
    const { payload } = await framePage.response('all')
    for (const signed of payload.transactions) await askSolana(url, 'sendTransaction', [signed])
    expect([await lamportsOf(url, first), await lamportsOf(url, second)]).toEqual([890_881, 990_882])

    const transaction = await transferOf(url, { from, to: third, lamports: 1_500_000_000 })
    await framePage.start('send', requestOf('solana_signAndSendTransaction', { transaction }))
    await approve(framePage.frame, 'Approve')
    const { payload: sent } = await framePage.response('send')
    expect(await lamportsOf(url, third)).toBe(1_500_000_000)
    const { value } = await askSolana<{ value: unknown[] }>(url, 'getSignatureStatuses', [[sent.signature]])
    expect(value[0]).toMatchObject({ err: null })
  })

  test('the page receives an error if the network rejects a transaction, and no funds move', async () => {
    const to = anybody()
    const transaction = await transferOf(url, { from, to, lamports: 50_000_000_000 })
    await framePage.start('poor', requestOf('solana_signAndSendTransaction', { transaction }))
    await approve(framePage.frame, 'Approve')
    expect(await framePage.response('poor')).toMatchObject({
      type: '@w3m-frame/RPC_REQUEST_ERROR',
      payload: { message: expect.stringContaining('Transaction simulation failed') },
    })
    expect(await lamportsOf(url, to)).toBe(0)
  })
})

test('a user logs in with our modal, gets test funds, pays and sees the new balance [R1.5] [R6.4]', async ({
  page,
  pages,
  world,
}) => {
  test.setTimeout(60_000)
  const email = someone('modal')
  await page.goto(`${pages}/solana.html`)
  await page.getByRole('button', { name: 'Connect' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /mail/i }).fill(email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(email)).toBeVisible()
  await page.keyboard.type(await codeFor(world, email))
  await expect(accountButton(page)).toHaveAccessibleName(/, 0\.000 SOL$/, { timeout: 20_000 })
  await page.getByRole('button', { name: 'Get test money' }).click()
  await page.getByRole('button', { name: 'Pay half a SOL' }).click()
  const frame = page.frameLocator('iframe')
  await expect(frame.getByText('0.5 SOL')).toBeVisible()
  await approve(frame, 'Approve')
  await expect(page.getByLabel('Receipt')).toHaveText(/^Paid \w{80,}$/)
  // After the payment, the balance is 2 SOL minus 0.5 SOL and the fee.
  await expect(accountButton(page)).toHaveAccessibleName(/, 1\.49\d* SOL$/, { timeout: 20_000 })
})
