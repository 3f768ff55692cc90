/**
 * The base class for errors with a code. The code is for programs and the message is for developers. Serializing the error
 * includes both, so that they reach a log or another process.
 */
export class CodedError<Code extends string | number = string | number> extends Error {
  /** The error code, for use in conditions. Each subclass defines its codes. */
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  /**
   * Returns the serialized form of the error. It includes the message, which `JSON.stringify` would omit, but never the stack or
   * the cause, which can contain private data. A subclass overrides this method if a specification defines a different form.
   */
  toJSON(): object {
    return { ...this, message: this.message }
  }
}
