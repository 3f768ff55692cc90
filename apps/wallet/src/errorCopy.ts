import { LatchkeyError } from '@latchkey/protocol/errors'
import { BaseError } from 'viem'
import { NodeError } from './networks.ts'

/** The user-facing message for `error`. */
export function errorCopy(error: unknown): string {
  if (error instanceof LatchkeyError)
    switch (error.code) {
      case 'pairing/invalid':
        return 'This is no connection link. It begins with “wc:” and is longer than a hundred letters; copy it again, whole.'
      case 'pairing/expired':
        return 'This connection has expired. Make a new code on the page, and scan that one.'
      case 'session/gone':
        return 'The page has ended this connection.'
      case 'request/timeout':
      case 'request/aborted':
        return 'It took too long, and the page may not have heard it. Try again.'
      case 'relay/unreachable':
        return 'The relay cannot be reached. Check that you are online, and try again.'
      default:
        return error.message
    }
  if (error instanceof BaseError) {
    const node = error.walk((cause) => cause instanceof NodeError)
    return node instanceof NodeError ? errorCopy(node) : error.shortMessage
  }
  if (error instanceof NodeError) return `The network did not take it: ${error.message}`
  return error instanceof Error ? error.message : 'Something went wrong.'
}

/** The JSON-RPC error that is sent to the page. */
export function rpcErrorOf(error: unknown): { readonly code: number; readonly message: string } {
  const node = error instanceof BaseError ? error.walk((cause) => cause instanceof NodeError) : error
  return node instanceof NodeError
    ? { code: node.code, message: node.message }
    : { code: -32_000, message: errorCopy(error) }
}
