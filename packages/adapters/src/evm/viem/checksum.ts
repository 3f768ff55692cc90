// Re-exported from a separate file, so that its chunk contains only this function.
export { getAddress } from 'viem/utils'
