// One function of viem to a chunk: what a page loads is what it does.
export { getAddress } from 'viem/utils'
