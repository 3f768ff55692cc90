export { type Clock, systemClock } from '@latchkey/protocol/clock'
export type { AccountNames, AccountNamesState, NameSuggestion, Profile } from './account/accountNamesTypes.ts'
export type { Activity, PendingTransaction } from './account/pendingTransactionTypes.ts'
export { type PortfolioTotal, portfolioTotal } from './account/portfolioTotal.ts'
export type { Portfolio, PortfolioState, Token, TokenPrice } from './account/portfolioTypes.ts'
export type {
  AmountUnit,
  RecentRecipient,
  Send,
  SendRecipient,
  SendReview,
  SendState,
  SendStep,
  SendTransfer,
  SendWarning,
} from './account/send/sendTypes.ts'
export type { TransactionMonth, Transactions, TransactionsState, TransactionYear } from './account/transactionTypes.ts'
export type {
  AccountDetails,
  Adapter,
  Connector,
  ConnectorContext,
  ConnectorType,
  Eip1193Provider,
  EmbeddedWalletClient,
  Identity,
  MultichainConnector,
  NativeBalance,
  Network,
  PairingUri,
  Session,
  SessionCapabilities,
  SessionEvents,
  TransferFee,
} from './adapter.ts'
export type { Analytics, AnalyticsEvent, AnalyticsEvents } from './analytics/analyticsEvents.ts'
export { createLatchkey } from './createLatchkey.ts'
export type {
  AccountView,
  Alert,
  ConnectionState,
  ConnectorGroup,
  ConnectorInfo,
  ExcludedWallet,
  HostEvents,
  Latchkey,
  ListedWallets,
  OtherConnection,
  QueryResult,
  State,
  Toast,
} from './latchkeyTypes.ts'
export { type ColorScheme, colorSchemeAt, watchColorScheme } from './lib/colorScheme.ts'
export { colorSchemeSource } from './lib/colorSchemeSource.ts'
export { followVisualViewport } from './lib/followVisualViewport.ts'
export { isMobileDevice } from './lib/isMobileDevice.ts'
export type { Log, LogEntry, LogLevel } from './lib/log.ts'
export type { ReadableStore } from './lib/store.ts'
export type { Login, LoginState, LoginStep, SocialState } from './login/loginTypes.ts'
export { offeredSocials } from './login/offeredSocials.ts'
export { errorText } from './modal/errorText.ts'
export { type ImplementedView as BuiltView, implementedViews as builtViews } from './modal/implementedViews.ts'
export { type Route, route, type Stack, type ViewName, type Views } from './modal/views.ts'
export { bitcoin, bitcoinTestnet, solana, solanaDevnet, solanaTestnet } from './networks/predefinedNetworks.ts'
export type {
  Onramp,
  OnrampLimit,
  OnrampOffer,
  OnrampProblem,
  OnrampProviderName,
  OnrampPurchase,
  OnrampQuote,
  OnrampState,
  OnrampToken,
} from './onramp/onrampTypes.ts'
export type {
  ConnectMethod,
  Features,
  InitialState,
  KeyValueStorage,
  LatchkeyOptions,
  Metadata,
  SocialProvider,
  WalletFeature,
} from './options.ts'
export type { ConnectionMethod as Reach, OpenableLink, Pairing, PairingState } from './pairing/pairingTypes.ts'
export { isSignInRequired } from './signIn/isSignInRequired.ts'
export type {
  AuthenticationAdapter,
  MessageParams,
  SignIn,
  SignInFields,
  SignInSession,
  SignInState,
} from './signIn/signInTypes.ts'
export { cookieName, initialState } from './stateCookie.ts'
export type { StorageEntry } from './storage/storageEntry.ts'
export type {
  DeepLinkChoice,
  RecentWallet,
  StorageSchema,
  StoredConnection,
  StoredConnections,
} from './storage/storageSchema.ts'
export type {
  Swap,
  SwapFee,
  SwapPresets,
  SwapProblem,
  SwapQuote,
  SwapReview,
  SwapState,
  SwapToken,
  SwapTokens,
  UnverifiedPart,
} from './swap/swapTypes.ts'
export type { SwapExchange } from './swap/trustedExchanges.ts'
export type { Directory, DirectoryState, ImageKind, WalletPages } from './wallets/directoryTypes.ts'
export { isSame, type WalletIdentity as Known } from './wallets/isSameWallet.ts'
export { type DiscoveredWallets, discoveredWallets } from './wallets/matchDiscoveredWallets.ts'
