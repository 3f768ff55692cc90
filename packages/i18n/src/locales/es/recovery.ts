/** The messages of the recovery page in Spanish. */
export const recovery = {
  title: 'Kit de recuperación',
  heading: 'Abre tu kit de recuperación',
  intro:
    'Esta página funciona sin servidor. Guárdala, desconéctate de internet, elige tu archivo de recuperación y escribe tu código de recuperación.',
  file: 'Archivo de recuperación',
  code: 'Código de recuperación',
  open: 'Abrir',
  words: 'Tus palabras de recuperación',
  wordsText:
    'Escribe estas 24 palabras, en este orden, en una cartera en la que confíes. Quien las vea controla tus cuentas.',
  accounts: 'Tus cuentas',
  evmAccounts: 'Ethereum y otras redes EVM',
  privateKeys: 'Claves privadas de cada cuenta',
  privateKeysText: 'Para carteras que no aceptan palabras de recuperación.',
  evmKey: 'Clave privada de EVM',
  solanaKey: 'Clave privada de Solana',
  clear: 'Borrar el contenido de esta página',
  noFile: 'Elige primero el archivo de recuperación.',
  notRecoveryFile: 'Este no es un archivo de recuperación.',
  unsupported:
    'Este navegador no puede abrir el archivo. Prueba con una versión actual de Chrome, Edge, Firefox o Safari.',
  codeLetter: 'Los códigos de recuperación nunca contienen «{letter}». Revisa ese carácter.',
  codeLength: 'Un código de recuperación tiene 8 grupos de 5 caracteres. Escribiste {letters} caracteres.',
  codeGroup: 'Hay un error en el grupo {group} del código. Revísalo.',
  otherKit:
    'Este código es de otro kit de recuperación, no del de este archivo, o el kit fue reemplazado por uno más nuevo.',
  damaged: 'Este código no abre este archivo. Puede que el archivo esté dañado.',
  tooNew: 'Este archivo es más nuevo que esta página. Usa la página que vino con él.',
  changed: 'Este archivo se modificó después de crearse. Usa otra copia.',
}
