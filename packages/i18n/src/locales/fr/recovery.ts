/** The messages of the recovery page in French. */
export const recovery = {
  title: 'Kit de récupération',
  heading: 'Ouvrez votre kit de récupération',
  intro:
    'Cette page fonctionne sans serveur. Enregistrez-la, passez hors ligne, puis choisissez votre fichier de récupération et saisissez votre code de récupération.',
  file: 'Fichier de récupération',
  code: 'Code de récupération',
  open: 'Ouvrir',
  words: 'Vos mots de récupération',
  wordsText:
    'Saisissez ces 24 mots, dans cet ordre, dans un wallet en qui vous avez confiance. Toute personne qui les voit contrôle vos comptes.',
  accounts: 'Vos comptes',
  evmAccounts: 'Ethereum et autres réseaux EVM',
  privateKeys: 'Clés privées de chaque compte',
  privateKeysText: 'Pour les wallets qui n’acceptent pas les mots de récupération.',
  evmKey: 'Clé privée EVM',
  solanaKey: 'Clé privée Solana',
  clear: 'Effacer cette page',
  noFile: 'Choisissez d’abord le fichier de récupération.',
  notRecoveryFile: 'Ce n’est pas un fichier de récupération.',
  unsupported:
    'Ce navigateur ne peut pas ouvrir le fichier. Essayez une version récente de Chrome, Edge, Firefox ou Safari.',
  codeLetter: 'Les codes de récupération ne contiennent jamais « {letter} ». Vérifiez ce caractère.',
  codeLength: 'Un code de récupération a 8 groupes de 5 caractères. Vous avez saisi {letters} caractères.',
  codeGroup: 'Il y a une faute dans le groupe {group} du code. Vérifiez-le.',
  otherKit:
    'Ce code appartient à un autre kit de récupération que ce fichier, ou le kit a été remplacé par un plus récent.',
  damaged: 'Ce code n’ouvre pas ce fichier. Le fichier est peut-être endommagé.',
  tooNew: 'Ce fichier est plus récent que cette page. Utilisez la page fournie avec lui.',
  changed: 'Ce fichier a été modifié après sa création. Utilisez une autre copie.',
}
