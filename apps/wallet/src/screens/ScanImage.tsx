import { createQrScanner, Notice, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { Loading } from './sharedComponents.tsx'

/** Scans a QR code in an image file or in an image on the clipboard. */
export function ScanImage({
  window,
  onFound,
}: {
  readonly window: Window & typeof globalThis
  readonly onFound: (text: string) => void
}): ReactNode {
  const [now, setNow] = useState<'ready' | 'reading' | 'nothing' | 'noPicture'>('ready')

  const readPicture = async (file: Blob): Promise<void> => {
    setNow('reading')
    const picture = await window.createImageBitmap(file).catch(() => undefined)
    if (!picture) {
      setNow('noPicture')
      return
    }
    // In a screenshot, the code can be small.
    const scan = await createQrScanner(2_000)
    const text = await scan(picture).catch(() => undefined)
    picture.close()
    setNow(text === undefined ? 'nothing' : 'ready')
    if (text !== undefined) onFound(text)
  }

  useEffect(() => {
    const pasted = (event: ClipboardEvent): void => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'))
      if (!file) return
      event.preventDefault()
      void readPicture(file)
    }
    window.addEventListener('paste', pasted)
    return () => window.removeEventListener('paste', pasted)
  })

  return (
    <Stack>
      <label className="picture">
        <span>Choose a picture of the code</span>
        <input
          type="file"
          accept="image/*"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            event.currentTarget.value = ''
            if (file) void readPicture(file)
          }}
        />
      </label>
      <Text tone="soft">Or take a screenshot of the page with the code and paste it here.</Text>
      {now === 'reading' && <Loading>Looking for the code…</Loading>}
      {now === 'nothing' && (
        <Notice kind="error">
          No readable code was found in this picture. Crop it closer, including the white border.
        </Notice>
      )}
      {now === 'noPicture' && <Notice kind="error">This file is not a picture.</Notice>}
    </Stack>
  )
}
