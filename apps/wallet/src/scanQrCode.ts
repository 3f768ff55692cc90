/** Decodes the QR code in an image. Resolves to its text, or to `undefined` if the image contains no QR code. */
export interface Scan {
  (picture: CanvasImageSource & { readonly width: number; readonly height: number }): Promise<string | undefined>
}

/** The subset of `BarcodeDetector` (Shape Detection API) that `createScan` uses. Few browsers support this API. */
interface Detector {
  detect(picture: CanvasImageSource): Promise<readonly { readonly rawValue: string }[]>
}
interface DetectorClass {
  new (options: { readonly formats: readonly string[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

/** Creates a scan function. Uses `BarcodeDetector` if it supports QR codes, otherwise a JavaScript decoder. */
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
    // Scale down large images. 2,000 pixels are enough for a screenshot, and camera frames are smaller.
    const scale = Math.min(1, 2_000 / Math.max(picture.width, picture.height))
    canvas.width = Math.max(1, Math.round(picture.width * scale))
    canvas.height = Math.max(1, Math.round(picture.height * scale))
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (!context) return undefined
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height), { timeLimit: 1_000 })
    } catch {
      // `decodeQR` throws if it finds no QR code.
      return undefined
    }
  }
}
