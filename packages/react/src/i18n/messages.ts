import type { infoMessages } from '../views/infoMessages.ts'
import type { backupMessages } from '../views/login/backupMessages.ts'
import type { loginMessages } from '../views/login/loginMessages.ts'
import type { pairingMessages } from '../views/pairing/pairingMessages.ts'
import type { signInMessages } from '../views/signIn/signInMessages.ts'
import type { signInSettingsMessages } from '../views/signIn/signInSettingsMessages.ts'
import type { smartSessionMessages } from '../views/smartSessions/smartSessionMessages.ts'
import { buttonMessages } from './buttonMessages.ts'

const sentences = {
  'common.retry': 'Try again',
  'common.newTab': '(opens in a new tab)',
  'common.or': 'or',
  'common.yourWallet': 'your wallet',

  'modal.close': 'Close',
  'modal.back': 'Back',
  'modal.help': 'What is a wallet?',
  'modal.loading': 'Loading…',
  'modal.loadFailed': 'This page did not load.',

  'tag.installed': 'Installed',
  'tag.recent': 'Recent',
  'tag.connected': 'Connected',
  'tag.qr': 'QR code',

  'legal.both': 'By connecting you agree to the {terms} and the {privacy}.',
  'legal.terms': 'By connecting you agree to the {terms}.',
  'legal.privacy': 'By connecting you agree to the {privacy}.',
  'legal.consentBoth': 'I agree to the {terms} and the {privacy}',
  'legal.consentTerms': 'I agree to the {terms}',
  'legal.consentPrivacy': 'I agree to the {privacy}',
  'legal.termsName': 'Terms of Service',
  'legal.privacyName': 'Privacy Policy',
  'legal.first': 'Agree first, then choose how to connect.',

  'connect.title': 'Connect a wallet',
  'connect.wallets': 'Wallets',
  'connect.allWallets': 'All wallets',
  'connect.continue': 'Continue with a wallet',
  'connect.getWallet': 'Get a wallet',
  'connect.none.title': 'No wallet in this browser',
  'connect.none.body':
    'A wallet is a small app that holds what you own and signs you in. Getting one takes a few minutes.',
  'connectWallets.title': 'Choose a wallet',

  'allWallets.title': 'All wallets',
  'allWallets.search': 'Search wallets',
  'allWallets.clear': 'Clear search',
  'allWallets.count.one': '{count} wallet',
  'allWallets.count.other': '{count} wallets',
  'allWallets.loading': 'Loading wallets…',
  'allWallets.none.title': 'No wallet found',
  'allWallets.none.body': 'Nothing matches “{search}”. Check the spelling or try a shorter word.',
  'allWallets.empty': 'This app lists no wallets.',
  'allWallets.failed': 'Could not load the wallets',
  'allWallets.moreFailed': 'Could not load more wallets.',

  'connecting.waiting.title': 'Continue in {wallet}',
  'connecting.waiting.body': 'Accept the request in {wallet} to connect.',
  'connecting.slow': 'Nothing there? The {wallet} window may be behind this one.',
  'connecting.declined.title': 'You declined',
  'connecting.declined.body': '{wallet} shared nothing with this app.',
  'connecting.silent.title': '{wallet} is not responding',
  'connecting.silent.body': 'Unlock {wallet} or restart it, then try again.',
  'connecting.busy.title': 'A request is already open',
  'connecting.busy.body': 'Open {wallet} and finish the request there, then try again.',
  'connecting.missing.title': '{wallet} was not found',
  'connecting.missing.body': 'Install or enable it in this browser, then try again.',
  'connecting.network.title': 'Wrong network',
  'connecting.network.body':
    '{wallet} is on a network that this app does not support. Change it in {wallet}, then try again.',
  'connecting.failed.title': 'Connection failed',
  'connecting.already.title': 'Already connected',
  'connecting.already.body': '{wallet} is connected to this app.',
  'connecting.get': 'Get {wallet}',
  'connecting.account': 'View account',

  'multiChain.title': 'Choose a network',
  'multiChain.body': '{wallet} works with several kinds of networks. Which one do you want to use?',

  'downloads.title': 'Get {wallet}',
  'downloads.extension': 'Install {wallet}, then come back and reload this page.',
  'downloads.app': 'Install {wallet} on your phone, then open this page in the browser inside the app.',
  'downloads.site': 'Get {wallet} from its own website, then come back and reload this page.',
  'downloads.none': 'No download link is available for {wallet}.',
  'downloads.another': 'Choose another wallet',
  'downloads.chrome': 'Browser extension',
  'downloads.ios': 'App for iPhone',
  'downloads.android': 'App for Android',
  'downloads.webapp': 'Web app',
  'downloads.website': 'Website',

  'getWallet.title': 'Get a wallet',
  'getWallet.body': 'A few to start with. Install one, then come back.',

  'whatIsANetwork.title': 'What is a network?',

  'account.title': 'Account',
  'account.balance': 'Balance',
  'account.balanceLoading': 'Loading the balance…',
  'account.balanceFailed': 'Could not load the balance',
  'account.copy': 'Copy address',
  'account.copied': 'Address copied',
  'account.copyFailed': 'Could not copy. Select the address and copy it yourself.',
  'account.explorer': 'View on {explorer}',
  'account.receive': 'Receive',
  'account.network': 'Network',
  'account.wallets': 'Wallets',
  'account.settings': 'Settings',
  'account.disconnect': 'Disconnect',
  'account.disconnecting': 'Disconnecting…',
  'account.disconnectFailed': 'Could not disconnect. Try again.',
  'account.silent.title': '{wallet} stopped responding',
  'account.silent.body': 'Unlock it or open it again. Nothing is lost.',
  'account.silent.check': 'Check again',
  'account.unknown.title': '{wallet} cannot be reached',
  'account.unknown.body': 'Your account stays connected, and we keep trying. You cannot sign until then.',
  'account.reconnecting': 'Reconnecting to {wallet}…',
  'account.none.title': 'No wallet connected',
  'account.none.body': 'Connect one to see your account here.',

  'wallets.title': 'Your wallets',
  'wallets.connected': 'Connected',
  'wallets.recent': 'Recently used',
  'wallets.active': 'Active',
  'wallets.switchTo': 'Switch to {wallet}',
  'wallets.disconnect': 'Disconnect {wallet}',
  'wallets.disconnectAll': 'Disconnect all',
  'wallets.add': 'Connect another wallet',
  'wallets.switched': 'Now using {wallet}',
  'wallets.gone': '{wallet} disconnected',

  'networks.title': 'Choose a network',
  'networks.search': 'Search networks',
  'networks.none.title': 'No network found',
  'networks.none.body': 'Nothing matches “{search}”.',
  'networks.empty': 'This app works on any network your wallet uses.',
  'networks.selected': 'Selected',
  'networks.testnet': 'Test network',
  'networks.unavailable': 'Not available in {wallet}',

  'switchNetwork.title': 'Switch to {network}',
  'switchNetwork.waiting.title': 'Approve in {wallet}',
  'switchNetwork.waiting.body': 'Confirm in {wallet} to switch to {network}.',
  'switchNetwork.declined.title': 'You declined',
  'switchNetwork.declined.body': 'You are still on {network}.',
  'switchNetwork.declined.bodyUnknown': 'Your network did not change.',
  'switchNetwork.unsupported.title': '{wallet} does not support {network}',
  'switchNetwork.unsupported.body': 'Choose another network, or connect another wallet.',
  'switchNetwork.failed.title': 'Switching failed',
  'switchNetwork.elsewhere': 'Choose another network',

  'switchChain.title': 'Switch to {network}',
  'switchChain.body': '{network} needs another kind of wallet. Your current one stays connected.',
  'switchChain.confirm': 'Connect a wallet for {network}',

  'unsupported.title': 'Switch network',
  'unsupported.body': 'Your wallet is on a network that this app does not support. Choose one of these to continue.',

  'receive.title': 'Receive',
  'receive.qr': 'QR code of your address, which is also shown below.',
  'receive.copy': 'Copy address',
  'receive.copied': 'Copied',
  'receive.copyFailed': 'Could not copy. The address is selected: copy it yourself.',
  'receive.warning': 'Send only assets on {network} to this address. Anything else may be lost.',

  'reason.offline': 'You are offline. Check your connection, then try again.',
  'reason.unreachable': 'The server did not respond.',
  'reason.refused': 'The server rejected this app.',
  'reason.malformed': 'The server sent an invalid response.',
  'reason.timeout': 'The request timed out.',
  'reason.wallet': 'The wallet reported: {message}',
  'reason.unknown': 'Something went wrong.',
} as const

/** The type of the English catalog that is bundled with the modal. The messages are literal types. */
export type Source = typeof buttonMessages & typeof sentences

/** The type of all English messages. The placeholders in every locale are checked against it. */
export type WholeSource = Source &
  typeof infoMessages &
  typeof loginMessages &
  typeof backupMessages &
  typeof pairingMessages &
  typeof smartSessionMessages &
  typeof signInSettingsMessages &
  typeof signInMessages

/**
 * The English messages that are bundled with the modal. The messages for views that few pages need are stored next to the views,
 * for example in `views/login/loginMessages.ts`. All other locales are translated from the English messages. Keys have the form
 * `view.name`, and placeholders are written in braces.
 */
export const messages: Source = { ...buttonMessages, ...sentences }

/** The key of a message. */
export type MessageKey = keyof WholeSource

/** The key of a message that has plural forms, without `.one` or `.other`. */
export type PluralKey = MessageKey extends infer Key ? (Key extends `${infer Base}.other` ? Base : never) : never

/** A complete catalog in any language. Some languages have more plural forms than English. */
export type Messages = Readonly<Record<MessageKey, string>> &
  Readonly<Partial<Record<`${PluralKey}.${'zero' | 'two' | 'few' | 'many'}`, string>>>
