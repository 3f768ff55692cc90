export { type FakeClock, fakeClock } from '@latchkey/protocol/testing'
export { type AdapterCase, type AdapterSubject, adapterTestSuite } from './adapterTestSuite.ts'
export {
  type AuthenticationCase,
  type AuthenticationSubject,
  authenticationTestSuite,
} from './authenticationTestSuite.ts'
export { type FakeAccountNames, fakeAccountNames } from './fakeAccountNames.ts'
export {
  type FakeAdapter,
  type FakeConnector,
  type FakeSession,
  fakeAdapter,
  fakeConnector,
  fakeNetwork,
  fakeSession,
} from './fakeAdapter.ts'
export { type FakeAuthentication, fakeAuthentication } from './fakeAuthentication.ts'
export { type FakeFetch, fakeFetch } from './fakeFetch.ts'
export {
  type FakeDirectory,
  type FakeLatchkey,
  type FakeLogin,
  type FakeSetup,
  fakeDirectory,
  fakeFailure,
  fakeLatchkey,
  fakeLogin,
  withAccount,
} from './fakeLatchkey.ts'
export { type FakeOnramp, fakeOnramp } from './fakeOnramp.ts'
export { type FakePairing, fakePairing } from './fakePairing.ts'
export { type FakePortfolio, type FakeTransactions, fakePortfolio, fakeTransactions } from './fakePortfolio.ts'
export { type FakeSend, fakeSend } from './fakeSend.ts'
export { type FakeSignIn, fakeSignIn, fakeSignInSession, withSignIn } from './fakeSignIn.ts'
export { type FakeSwap, fakeSwap } from './fakeSwap.ts'
export { type MemoryStorage, memoryStorage } from './memoryStorage.ts'
