/** The messages about the host's legal pages. Only pages with legal links load them, together with the modal. */
export const legalMessages = {
  'legal.both': 'By connecting you agree to the {terms} and the {privacy}.',
  'legal.terms': 'By connecting you agree to the {terms}.',
  'legal.privacy': 'By connecting you agree to the {privacy}.',
  'legal.consentBoth': 'I agree to the {terms} and the {privacy}',
  'legal.consentTerms': 'I agree to the {terms}',
  'legal.consentPrivacy': 'I agree to the {privacy}',
  'legal.termsName': 'Terms of Service',
  'legal.privacyName': 'Privacy Policy',
  'legal.first': 'Agree first, then choose how to connect.',
} as const
