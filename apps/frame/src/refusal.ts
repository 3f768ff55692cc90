/** A failure whose sentence may be told to the page. Every other error is told as "An error occurred". */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** The sentence that the page is told about `error`. */
export function sentenceFor(error: unknown): string {
  return error instanceof Refusal && error.message ? error.message : 'An error occurred'
}
