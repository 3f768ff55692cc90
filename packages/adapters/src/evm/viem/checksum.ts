// This function is re-exported from a separate file so that its chunk contains nothing else.
export { getAddress } from 'viem/utils'
