import type { ChainId } from '@latchkey/protocol/caip'
import { addressIn } from '@latchkey/protocol/recipientAddress'
import { Button, createQrScanner, Notice, Text, useStyleSheet } from '@latchkey/ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslations } from '../../i18n/useTranslations.ts'
import css from './scanRecipient.css?inline'
import { sendScanMessages } from './sendScanMessages.ts'

/** The state of the scan. `other` means that the QR code does not contain an address of the network. */
type CameraStatus = 'starting' | 'looking' | 'other' | 'refused' | 'none'

/** Scans the QR code of an address with the camera. The images never leave the page. */
export function ScanRecipient({
  label,
  chain,
  network,
  onEnd,
}: {
  /** The accessible name of the camera's video. */
  readonly label: string
  /** The network of the transfer (CAIP-2). */
  readonly chain: ChainId | undefined
  readonly network: string
  /** Called with the address or, if the user stops scanning, without one. */
  readonly onEnd: (address?: string) => void
}): ReactNode {
  useStyleSheet(css)
  const text = useTranslations(sendScanMessages)
  const video = useRef<HTMLVideoElement>(null)
  const found = useRef(onEnd)
  const namespace = chain?.startsWith('solana:') ? 'solana' : 'eip155'
  const [status, setStatus] = useState<CameraStatus>('starting')
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    found.current = onEnd
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a retry
  useEffect(() => {
    const controller = new AbortController()
    setStatus('starting')
    void scan({
      video: video.current,
      signal: controller.signal,
      report: setStatus,
      read: (code) => addressIn(code, namespace, chain),
    }).then((address) => {
      if (address !== undefined && !controller.signal.aborted) found.current(address)
    })
    return () => controller.abort()
  }, [namespace, chain, attempt])
  const failed = status === 'refused' || status === 'none'
  return (
    <div className="scan">
      <video ref={video} className="scan-video" hidden={failed} muted playsInline aria-label={label} />
      {failed ? (
        <Notice kind="warning" action={{ label: text('common.retry'), onClick: () => setAttempt((now) => now + 1) }}>
          {text(`send.scan.${status}`)}
        </Notice>
      ) : (
        <div role="status">
          <Text tone={status === 'other' ? 'danger' : 'soft'}>
            {status === 'other'
              ? text('send.scan.noAddress', { network })
              : text(status === 'starting' ? 'send.scan.starting' : 'send.scan.hint')}
          </Text>
        </div>
      )}
      <Button wide onClick={() => onEnd()}>
        {text('send.scan.cancel')}
      </Button>
    </div>
  )
}

/** Resolves to the first scanned address, or to `undefined` if the camera cannot be used or the scan was stopped. */
async function scan({
  video,
  signal,
  report,
  read,
}: {
  readonly video: HTMLVideoElement | null
  readonly signal: AbortSignal
  readonly report: (status: CameraStatus) => void
  readonly read: (code: string) => string | undefined
}): Promise<string | undefined> {
  const say = (status: CameraStatus): void => {
    if (!signal.aborted) report(status)
  }
  let stream: MediaStream
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false })
  } catch (error) {
    say(error instanceof DOMException && error.name === 'NotAllowedError' ? 'refused' : 'none')
    return undefined
  }
  try {
    if (signal.aborted || !video) return undefined
    video.srcObject = stream
    await video.play().catch(() => undefined)
    const scan = await createQrScanner()
    say('looking')
    while (!signal.aborted) {
      const image = await createImageBitmap(video).catch(() => undefined)
      const code = image && (await scan(image).catch(() => undefined))
      image?.close()
      const address = code && read(code)
      if (address) return address
      if (code) say('other')
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    return undefined
  } catch {
    say('none')
    return undefined
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}
