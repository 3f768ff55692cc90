export { type Clock, systemClock } from '@latchkey/protocol/clock'
export type {
  Abilities,
  AccountDetails,
  Adapter,
  Bridge,
  BridgeHost,
  Connector,
  ConnectorType,
  Eip1193Provider,
  Identity,
  LoginDoor,
  NativeBalance,
  Network,
  PairingOffer,
  Session,
  SessionEvents,
} from './adapter.ts'
export type { Analytics, AnalyticsEvent, AnalyticsEvents } from './analytics/analytics.ts'
export { cookieName, initialState } from './cookie.ts'
export { createLatchkey } from './createLatchkey.ts'
export type {
  AccountView,
  Alert,
  ConnectionState,
  ConnectorInfo,
  ExcludedWallet,
  HostEvents,
  Latchkey,
  ListedWallets,
  OtherConnection,
  Reading,
  ShownConnector,
  State,
  Toast,
} from './latchkey.ts'
export { besideButton } from './lib/besideButton.ts'
export { type ColorScheme, colorSchemeAt, watchColorScheme } from './lib/colorScheme.ts'
export type { Log, LogEntry, LogLevel } from './lib/log.ts'
export { isMobile as isMobileDevice } from './lib/mobile.ts'
export { lastValue } from './lib/reading.ts'
export type { ReadableStore } from './lib/store.ts'
export type { Login, LoginState, LoginStep, SocialState } from './login/login.ts'
export { type BuiltView, builtViews } from './modal/builtViews.ts'
export { errorText } from './modal/notices.ts'
export { type Route, route, type Stack, type ViewName, type Views } from './modal/views.ts'
export { bitcoin, bitcoinTestnet, solana, solanaDevnet, solanaTestnet } from './networks/predefined.ts'
export type {
  ConnectMethod,
  Features,
  InitialState,
  KeyValueStorage,
  LatchkeyOptions,
  Metadata,
  SocialProvider,
} from './options.ts'
export type { OpenableLink, Pairing, PairingState, Reach } from './pairing/pairing.ts'
export { isSignInRequired } from './signIn/isSignInRequired.ts'
export type {
  SignIn,
  SignInFields,
  SignInKeeper,
  SignInSession,
  SignInState,
  SignInWords,
} from './signIn/signIn.ts'
export type { StoredRecord } from './storage/records.ts'
export type {
  DeepLinkChoice,
  RecentWallet,
  StorageRecords,
  StoredConnection,
  StoredConnections,
} from './storage/storage.ts'
export type { Directory, DirectoryState, ImageKind, WalletPages } from './wallets/directory.ts'
export { type FoundWallets, foundWallets } from './wallets/foundWallets.ts'
export { isSame, type Known } from './wallets/known.ts'
export { offeredSocials } from './wallets/socials.ts'
