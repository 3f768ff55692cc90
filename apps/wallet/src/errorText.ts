import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { BaseError } from 'viem'
import { NodeError } from './networks.ts'

/** Returns the user-facing message for `error`. */
export function errorText(error: unknown): string {
  if (error instanceof LatchkeyError)
    switch (error.code) {
      case 'pairing/invalid':
        return 'This is not a connection link. It must start with “wc:” and have more than a hundred characters. Copy the whole link again.'
      case 'pairing/expired':
        return 'This connection link has expired. Create a new code on the page and scan it.'
      case 'session/gone':
        return 'The page has ended this connection.'
      case 'request/timeout':
      case 'request/aborted':
        return 'The request timed out, and the page may not have received it. Try again.'
      case 'relay/unreachable':
        return 'The relay cannot be reached. Check your connection, then try again.'
      default:
        return error.message
    }
  if (error instanceof BaseError) {
    const node = error.walk((cause) => cause instanceof NodeError)
    return node instanceof NodeError ? errorText(node) : error.shortMessage
  }
  if (error instanceof NodeError) return `The network rejected it: ${error.message}`
  return error instanceof Error ? error.message : 'Something went wrong.'
}

/** Returns the JSON-RPC error that is sent to the page. */
export function rpcErrorOf(error: unknown): { readonly code: number; readonly message: string } {
  const node = error instanceof BaseError ? error.walk((cause) => cause instanceof NodeError) : error
  return node instanceof NodeError
    ? { code: node.code, message: node.message }
    : { code: -32_000, message: errorText(error) }
}
