/**
 * The base class of errors with a code: the code is for programs, the message for developers. It serialises, so that a log or another
 * process gets both.
 */
export class CodedError<Code extends string | number = string | number> extends Error {
  /** What went wrong, for use in conditions. Each subclass defines its values. */
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  /**
   * The form on the wire: the values of the error with its message, which `JSON.stringify` would leave out. Never the stack or the cause,
   * which can be private. A class whose form a specification prescribes overrides it.
   */
  toJSON(): object {
    return { ...this, message: this.message }
  }
}
