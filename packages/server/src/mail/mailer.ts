/** An email, as plain text and as HTML. */
export interface Mail {
  /** The recipient's address, without a name. */
  readonly to: string
  /** The subject, as plain text. */
  readonly subject: string
  /** The body for mail programs that do not show HTML. */
  readonly text: string
  /** The body as an HTML document. */
  readonly html: string
}

/** Sends emails. `send` rejects if an email is not accepted. */
export interface Mailer {
  /** Resolves once the email is accepted for delivery. Rejects if it is not accepted. */
  send(mail: Mail): Promise<void>
  /** Closes open connections. Called when the server stops. */
  close(): Promise<void>
}
