/** The messages of the scanner for the QR codes of recipients. They are loaded with it. */
export const sendScanMessages = {
  'send.scan.starting': 'Starting the camera…',
  'send.scan.hint': 'Hold the code in front of the camera. The image stays on this page.',
  'send.scan.noAddress': 'This code contains no address on {network}.',
  'send.scan.refused': 'Camera access is blocked. Allow it in your browser’s settings, or paste the address.',
  'send.scan.none': 'No camera was found. Paste the address instead.',
  'send.scan.cancel': 'Stop scanning',
} as const
