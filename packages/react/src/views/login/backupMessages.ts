/** The messages about passkeys, backup keys and key management. They are loaded with the first view that needs them. */
export const backupMessages = {
  'passkey.waiting': 'Continue in the window that just opened',
  'passkey.body': 'It belongs to your wallet. Your browser asks for your passkey there.',
  'passkey.failed': 'Could not log in with the passkey',
  'passkey.none': 'Passkeys are not available here. Go back and choose another way.',
  'settings.security': 'Security and recovery',
  'settings.securityBody': 'Keys and activity',
  'single.title': 'One key opens this wallet',
  'single.body': 'If it is lost, so is everything sent here. Add a second key of another kind first.',
  'single.add': 'Add a second key',
} as const
