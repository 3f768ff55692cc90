/** The messages of the recovery page in Portuguese. */
export const recovery = {
  title: 'Kit de recuperação',
  heading: 'Abra seu kit de recuperação',
  intro:
    'Esta página funciona sem servidor. Salve-a, fique offline, escolha seu arquivo de recuperação e digite seu código de recuperação.',
  file: 'Arquivo de recuperação',
  code: 'Código de recuperação',
  open: 'Abrir',
  words: 'Suas palavras de recuperação',
  wordsText:
    'Digite estas 24 palavras, nesta ordem, em uma carteira em que você confia. Quem as vir controla suas contas.',
  accounts: 'Suas contas',
  evmAccounts: 'Ethereum e outras redes EVM',
  privateKeys: 'Chaves privadas de cada conta',
  privateKeysText: 'Para carteiras que não aceitam palavras de recuperação.',
  evmKey: 'Chave privada EVM',
  solanaKey: 'Chave privada Solana',
  clear: 'Limpar esta página',
  noFile: 'Escolha primeiro o arquivo de recuperação.',
  notRecoveryFile: 'Este não é um arquivo de recuperação.',
  unsupported:
    'Este navegador não consegue abrir o arquivo. Tente uma versão atual do Chrome, Edge, Firefox ou Safari.',
  codeLetter: 'Códigos de recuperação nunca contêm “{letter}”. Confira esse caractere.',
  codeLength: 'Um código de recuperação tem 8 grupos de 5 caracteres. Você digitou {letters} caracteres.',
  codeGroup: 'Há um erro no grupo {group} do código. Confira de novo.',
  otherKit: 'Este código é de outro kit de recuperação, não o deste arquivo, ou o kit foi trocado por um mais novo.',
  damaged: 'Este código não abre este arquivo. O arquivo pode estar danificado.',
  tooNew: 'Este arquivo é mais novo que esta página. Use a página que veio com ele.',
  changed: 'Este arquivo foi alterado depois de criado. Use outra cópia.',
}
