/** The messages for signing in and out in the account settings. */
export const signInSettingsMessages = {
  'settings.signIn': 'Sign in',
  'settings.signedIn': 'You are signed in',
  'settings.signedOut': 'You are not signed in',
  'settings.signOut': 'Sign out',
  'settings.signingOut': 'Signing out…',
  'settings.signOutFailed': 'You are still signed in. Try again.',
} as const
