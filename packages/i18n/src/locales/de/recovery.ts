/** The messages of the recovery page in German. */
export const recovery = {
  title: 'Rettungsset',
  heading: 'Öffnen Sie Ihr Rettungsset',
  intro:
    'Diese Seite funktioniert ohne Server. Speichern Sie sie, gehen Sie offline, wählen Sie dann Ihre Rettungsdatei aus und geben Sie Ihren Rettungscode ein.',
  file: 'Rettungsdatei',
  code: 'Rettungscode',
  open: 'Öffnen',
  words: 'Ihre Wiederherstellungswörter',
  wordsText:
    'Geben Sie diese 24 Wörter in dieser Reihenfolge in einer Wallet ein, der Sie vertrauen. Wer sie sieht, hat die Kontrolle über Ihre Konten.',
  accounts: 'Ihre Konten',
  evmAccounts: 'Ethereum und andere EVM-Netzwerke',
  privateKeys: 'Private Schlüssel einzelner Konten',
  privateKeysText: 'Für Wallets, die keine Wiederherstellungswörter annehmen.',
  evmKey: 'Privater EVM-Schlüssel',
  solanaKey: 'Privater Solana-Schlüssel',
  clear: 'Diese Seite leeren',
  noFile: 'Wählen Sie zuerst die Rettungsdatei aus.',
  notRecoveryFile: 'Das ist keine Rettungsdatei.',
  unsupported:
    'Dieser Browser kann die Datei nicht öffnen. Versuchen Sie es mit einer aktuellen Version von Chrome, Edge, Firefox oder Safari.',
  codeLetter: 'Rettungscodes enthalten nie „{letter}“. Prüfen Sie dieses Zeichen.',
  codeLength: 'Ein Rettungscode hat 8 Gruppen zu 5 Zeichen. Sie haben {letters} Zeichen eingegeben.',
  codeGroup: 'In Gruppe {group} des Codes ist ein Schreibfehler. Prüfen Sie sie noch einmal.',
  otherKit:
    'Dieser Code gehört zu einem anderen Rettungsset als diese Datei, oder das Set wurde durch ein neueres ersetzt.',
  damaged: 'Dieser Code öffnet diese Datei nicht. Die Datei ist möglicherweise beschädigt.',
  tooNew: 'Diese Datei ist neuer als diese Seite. Verwenden Sie die Seite, die zu ihr gehört.',
  changed: 'Diese Datei wurde nachträglich verändert. Verwenden Sie eine andere Kopie.',
}
