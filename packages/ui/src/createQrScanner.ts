/** Decodes the QR code in an image. Resolves to its text, or to `undefined` if the image contains no QR code. */
export type QrScanner = (
  image: CanvasImageSource & { readonly width: number; readonly height: number },
) => Promise<string | undefined>

/** The part of `BarcodeDetector` (Shape Detection API) that is used. Few browsers have it. */
interface Detector {
  detect(image: CanvasImageSource): Promise<readonly { readonly rawValue: string }[]>
}
interface DetectorClass {
  new (options: { readonly formats: readonly string[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

/**
 * Creates the decoder. Uses the browser's own if it supports QR codes, and otherwise loads one in JavaScript.
 * @param maxSize the maximum width and height of images for the JavaScript decoder, in pixels. Larger images are scaled down.
 */
export async function createQrScanner(maxSize = 1_000): Promise<QrScanner> {
  const { BarcodeDetector } = globalThis as { readonly BarcodeDetector?: DetectorClass }
  const formats = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? []
  if (BarcodeDetector && formats.includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] })
    return async (image) => (await detector.detect(image))[0]?.rawValue
  }
  const { decodeQR } = await import('qr/decode.js')
  const canvas = document.createElement('canvas')
  return async (image) => {
    const scale = Math.min(1, maxSize / Math.max(image.width, image.height))
    canvas.width = Math.max(1, Math.round(image.width * scale))
    canvas.height = Math.max(1, Math.round(image.height * scale))
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (!context) return undefined
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height), { timeLimit: maxSize / 2 })
    } catch {
      // `decodeQR` throws if it finds no QR code.
      return undefined
    }
  }
}
