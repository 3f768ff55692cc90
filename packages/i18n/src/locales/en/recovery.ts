/** The messages of the recovery page in English. */
export const recovery = {
  title: 'Recovery kit',
  heading: 'Open your recovery kit',
  intro:
    'This page works without a server. Save it, go offline, then choose your recovery file and enter your recovery code.',
  file: 'Recovery file',
  code: 'Recovery code',
  open: 'Open',
  words: 'Your recovery words',
  wordsText:
    'Enter these 24 words, in this order, in a wallet that you trust. Anyone who sees them controls your accounts.',
  accounts: 'Your accounts',
  evmAccounts: 'Ethereum and other EVM chains',
  privateKeys: 'Private keys of individual accounts',
  privateKeysText: 'For wallets that do not accept recovery words.',
  evmKey: 'EVM private key',
  solanaKey: 'Solana private key',
  clear: 'Clear this page',
  noFile: 'Choose the recovery file first.',
  notRecoveryFile: 'This is not a recovery file.',
  unsupported: 'This browser cannot open the file. Try a current Chrome, Edge, Firefox or Safari.',
  codeLetter: 'Recovery codes never contain “{letter}”. Check that character.',
  codeLength: 'A recovery code has 8 groups of 5 characters. You entered {letters} characters.',
  codeGroup: 'There is a typo in group {group} of the code. Check it again.',
  otherKit:
    'This code belongs to a different recovery kit than this file, or the kit has been replaced by a newer one.',
  damaged: 'This code does not open this file. The file may be damaged.',
  tooNew: 'This file is newer than this page. Use the page that came with it.',
  changed: 'This file was changed after it was created. Use another copy.',
} as const
