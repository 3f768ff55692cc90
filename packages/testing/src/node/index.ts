export { type Anvil, startAnvil } from './anvil.ts'
export { anvilBinary, cacheFolder } from './anvilBinary.ts'
export { type FaultServer, startFaultServer } from './faultServer.ts'
export { deployTestToken, type TestToken } from './testToken.ts'
