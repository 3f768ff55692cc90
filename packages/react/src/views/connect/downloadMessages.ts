/** The messages for getting a wallet. They are loaded with the first view that needs them. */
export const downloadMessages = {
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
} as const
