/** Messages about passkeys, backup keys and key management. In a separate file, loaded with the first view that needs them. */
export const securityMessages = {
  'passkey.waiting': 'Go on in the window that just opened',
  'passkey.body': 'It belongs to your wallet. There your browser asks for your passkey.',
  'passkey.failed': 'The passkey did not log you in',
  'passkey.none': 'There are no passkeys here. Go back and choose another way.',
  'settings.security': 'Security and recovery',
  'settings.securityBody': 'What opens this wallet, and what happened',
  'single.title': 'One key opens this wallet',
  'single.body': 'If it is lost, so is everything sent here. Add a second key of another kind first.',
  'single.add': 'Add a second key',
} as const
