import { createQrScanner, Notice, Stack, Text } from '@latchkey/ui'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { Loading } from './sharedComponents.tsx'

type CameraStatus = 'starting' | 'looking' | 'refused' | 'none'

/** Scans a QR code with the camera. The images never leave the browser. */
export function ScanCamera({
  window,
  onFound,
}: {
  readonly window: Window & typeof globalThis
  readonly onFound: (text: string) => void
}): ReactNode {
  const video = useRef<HTMLVideoElement>(null)
  const found = useRef(onFound)
  found.current = onFound
  const [now, setNow] = useState<CameraStatus>('starting')
  const [attempt, setAttempt] = useState(0)

  const look = useCallback(
    async (signal: AbortSignal): Promise<void> => {
      const { mediaDevices } = window.navigator
      if (!mediaDevices) return setNow('none')
      let stream: MediaStream
      try {
        stream = await mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false })
      } catch (error) {
        return setNow(error instanceof DOMException && error.name === 'NotAllowedError' ? 'refused' : 'none')
      }
      const stop = (): void => {
        for (const track of stream.getTracks()) track.stop()
      }
      signal.addEventListener('abort', stop)
      const screen = video.current
      if (signal.aborted || !screen) return stop()
      screen.srcObject = stream
      await screen.play().catch(() => {})
      const scan = await createQrScanner()
      setNow('looking')
      while (!signal.aborted) {
        const picture = await window.createImageBitmap(screen).catch(() => undefined)
        const text = picture && (await scan(picture).catch(() => undefined))
        picture?.close()
        // Ignore any other QR code and keep scanning.
        if (text?.startsWith('wc:') && !signal.aborted) {
          stop()
          found.current(text)
          return
        }
        await new Promise((resolve) => window.requestAnimationFrame(resolve))
      }
    },
    [window],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: the scan restarts on each attempt
  useEffect(() => {
    const ended = new AbortController()
    setNow('starting')
    void look(ended.signal)
    return () => ended.abort()
  }, [look, attempt])

  const again = { label: 'Try again', onClick: () => setAttempt((count) => count + 1) }
  if (now === 'refused')
    return (
      <Notice kind="error" title="Camera access is blocked" action={again}>
        Allow it for this page in your browser settings, or paste the link instead.
      </Notice>
    )
  if (now === 'none')
    return (
      <Notice kind="error" title="No camera was found" action={again}>
        Paste the link or choose a picture of the code instead.
      </Notice>
    )
  return (
    <Stack>
      <div className="camera">
        <video ref={video} muted playsInline aria-label="Camera view" />
      </div>
      {now === 'starting' ? (
        <Loading>Starting the camera…</Loading>
      ) : (
        <Text tone="soft">Hold the page’s code in front of the camera. The camera image stays in this page.</Text>
      )}
    </Stack>
  )
}
