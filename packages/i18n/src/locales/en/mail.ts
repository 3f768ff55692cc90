/** The texts of emails and of the pages opened by emails and social logins, in English. */
export const mail = {
  'code.subject': 'Your sign-in code',
  'code.heading': 'Your sign-in code',
  'code.before':
    'Enter this code where you are signing in. It works for 10 minutes, and only in the browser that requested it.',
  'code.after':
    'Nobody at {site} will ever ask you for it. If you did not request a code, ignore this email: nobody can sign in without it.',

  'approval.subject': 'Approve a new browser',
  'approval.heading': 'Is this you?',
  'approval.before': 'A new browser wants to sign in with your email address. The link works for 10 minutes.',
  'approval.link': 'Review the request',
  'approval.after':
    'Open it only if you are signing in right now. If this is not you, ignore this email: nobody can sign in to {site} without it.',

  'changePrimary.subject': 'Confirm your email change',
  'changePrimary.heading': 'Changing your email address',
  'changePrimary.before':
    'Enter this code to confirm that you want to change the email address of your account. It works for 10 minutes.',
  'changePrimary.after':
    'If this is not you, do not enter it anywhere, and check the devices of your account at {site}.',

  'changeSecondary.subject': 'Confirm your new email address',
  'changeSecondary.heading': 'Your new email address',
  'changeSecondary.before': 'Enter this code to make this the email address of your account. It works for 10 minutes.',
  'changeSecondary.after': 'If you did not request this, ignore this email: {site} then deletes this address.',

  'addressTaken.subject': 'This email address already has an account',
  'addressTaken.heading': 'This email address is taken',
  'addressTaken.before':
    'Someone, perhaps you, tried to use this email address for another account at {site}. It already has an account, so nothing was changed.',
  'addressTaken.after': 'If it was you, sign in with this email address instead.',

  'addressChanged.subject': 'Your email address was changed',
  'addressChanged.heading': 'Your email address was changed',
  'addressChanged.before':
    'Your account at {site} now has a different email address. Codes sent to both addresses were entered. Your wallet and its keys have not changed.',
  'addressChanged.after':
    'If this was not you, someone can read your email: change the password of your email account.',

  'deviceAdded.subject': 'New sign-in on another device',
  'deviceAdded.heading': 'New device',
  'deviceAdded.before':
    '“{place}” signed in to your account at {site}. It can open the wallet only with your passkey, your recovery kit or one of your other devices.',
  'deviceAdded.after': 'If it is not yours, remove it from your wallet’s list of devices.',

  'deviceAsked.subject': 'A new device wants to open your wallet',
  'deviceAsked.heading': 'A device needs your approval',
  'deviceAsked.before':
    '“{place}” signed in to your account at {site} and is asking one of your devices for approval. Until {time}, approving it requires your passkey or your recovery kit there.',
  'deviceAsked.after':
    'If it is not yours, someone can read your email: change the password of your email account, then enter {page} in your browser, sign out everywhere, and add a passkey or a recovery kit.',

  'expiredPage.title': 'Link expired',
  'expiredPage.heading': 'This link has expired',
  'expiredPage.body': 'It works once, for 10 minutes. Request a new one where you are signing in.',

  'approvePage.title': 'Approve a new browser',
  'approvePage.heading': 'Are you signing in right now?',
  'approvePage.body': 'A browser wants to sign in at {site} as {email}.',
  'approvePage.notYou': 'If this is not you, close this page.',
  'approvePage.approve': 'Approve',

  'approvedPage.title': 'Approved',
  'approvedPage.heading': 'Browser approved',
  'approvedPage.body': 'We sent you a code by email. Enter it where you are signing in. You can close this page.',

  'popup.title': 'Signing in',
  'popup.loading': 'One moment…',
  'popup.loadingBody': 'Your sign-in will open here.',
  'popup.elsewhere': 'Continue on the page',
  'popup.done': 'You can go back to the page',
  'popup.failed': 'Something went wrong',
  'popup.close': 'You can close this window.',
} as const
