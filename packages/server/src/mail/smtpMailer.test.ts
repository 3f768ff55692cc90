import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { MailServerError, smtpMailer } from './smtpMailer.ts'

const mail = (to: string) => ({ to, subject: 'Your code', text: '123456', html: '<p>123456</p>' })

test('if the mail server does not respond, an email fails after the timeout and is not sent later', async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'wallet@shop.example', timeoutMs: 500 })

  const started = performance.now()
  const refusals = await Promise.all(
    Array.from({ length: 40 }, (_, nth) => mailer.send(mail(`early${nth}@shop.example`)).catch((error) => error)),
  )
  expect(performance.now() - started).toBeLessThan(8000)
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(MailServerError)
    expect(refusal.code).toBe('ETIMEDOUT')
  }

  // The mail server becomes available again at the same address.
  const closed = new Promise((resolve) => silent.close(resolve))
  for (const socket of sockets) socket.destroy()
  await closed
  const recipients: string[] = []
  const awake = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      stream.resume().on('end', () => {
        recipients.push(...envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => awake.listen(port, '127.0.0.1', () => resolve()))
  await expect
    .poll(() => mailer.send(mail('late@shop.example')).then(() => 'taken', String), { timeout: 20_000 })
    .toBe('taken')
  // Emails that were being delivered when the server stopped responding can still arrive, but queued emails do not.
  expect(recipients.filter((to) => to.startsWith('early')).length).toBeLessThanOrEqual(4)
  expect(recipients).toContain('late@shop.example')
  await mailer.close()
  await new Promise<void>((resolve) => awake.close(() => resolve()))
}, 60_000)
