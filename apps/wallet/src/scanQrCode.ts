/** Finds the text of a QR code in a picture, or `undefined`. */
export interface Scan {
  (picture: CanvasImageSource & { readonly width: number; readonly height: number }): Promise<string | undefined>
}

/** What of the browser's own reader is used (Shape Detection API): few browsers have one. */
interface Detector {
  detect(picture: CanvasImageSource): Promise<readonly { readonly rawValue: string }[]>
}
interface DetectorClass {
  new (options: { readonly formats: readonly string[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

/** The browser's own reader where there is one, else one that is loaded now. */
export async function createScan(window: Window & typeof globalThis): Promise<Scan> {
  const { BarcodeDetector } = window as { readonly BarcodeDetector?: DetectorClass }
  const formats = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? []
  if (BarcodeDetector && formats.includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] })
    return async (picture) => (await detector.detect(picture))[0]?.rawValue
  }
  const { decodeQR } = await import('qr/decode.js')
  const canvas = window.document.createElement('canvas')
  return async (picture) => {
    // As large as a screenshot; a camera's picture is smaller anyway.
    const scale = Math.min(1, 2_000 / Math.max(picture.width, picture.height))
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (!context) return undefined
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height), { timeLimit: 1_000 })
    } catch {
      // It throws when there is none.
      return undefined
    }
  }
}
