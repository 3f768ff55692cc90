import type { Send, SendState } from '@latchkey/core'
import {
  Address,
  Avatar,
  Button,
  Group,
  IconButton,
  LiveRegion,
  moreIcons,
  Notice,
  Row,
  Spinner,
  TextField,
} from '@latchkey/ui'
import { type ReactNode, useState } from 'react'
import { TextButton } from '../tokens/AmountField.tsx'
import { useLoaded } from '../useLoaded.ts'
import type { SendTranslator } from './useSendTranslations.ts'

const loadScanner = async () => (await import('./ScanRecipient.tsx')).ScanRecipient

/** Renders the field for the recipient, with the lookup's result, its errors and the recent recipients. */
export function SendRecipientField({
  send,
  state: { recipient, recent, chain },
  network,
  text,
}: {
  readonly send: Send
  readonly state: SendState
  readonly network: string
  readonly text: SendTranslator
}): ReactNode {
  const [isScanning, setScanning] = useState(false)
  const scanner = useLoaded(loadScanner, isScanning)
  const [hasPasteFailed, setPasteFailed] = useState(false)
  const { status, address, name } = recipient
  const namespace = chain?.split(':')[0]
  const enter = (value: string): void => {
    setPasteFailed(false)
    send.setRecipient(value.trim())
  }
  // Access to the clipboard can be denied.
  const paste = (): Promise<void> =>
    Promise.resolve()
      .then(() => navigator.clipboard.readText())
      .then(enter, () => setPasteFailed(true))
  if (isScanning && scanner.value)
    return (
      <scanner.value
        label={text('send.scan')}
        namespace={namespace === 'solana' ? 'solana' : 'eip155'}
        network={network}
        onFound={(found) => {
          setScanning(false)
          enter(found)
        }}
        onCancel={() => setScanning(false)}
      />
    )
  return (
    <>
      <TextField
        label={text('send.to')}
        dir="ltr"
        placeholder={text(namespace === 'solana' ? 'send.to.address' : 'send.to.hint')}
        value={recipient.text}
        maxLength={300}
        autoCorrect="off"
        enterKeyHint="done"
        error={errorText(recipient, { network, text })}
        hint={hasPasteFailed ? text('send.pasteFailed') : scanner.failed ? text('modal.loadFailed') : undefined}
        trailing={
          <span className="send-actions">
            {(status === 'checking' || (isScanning && !scanner.failed)) && <Spinner />}
            {recipient.text === '' ? (
              <>
                <TextButton onClick={() => void paste()}>{text('send.paste')}</TextButton>
                {canScan() && (
                  <IconButton
                    icon={moreIcons.qr}
                    label={text('send.scan')}
                    onClick={() => {
                      setScanning(true)
                      scanner.retry()
                    }}
                  />
                )}
              </>
            ) : (
              <IconButton icon="close" label={text('send.clear')} onClick={() => enter('')} />
            )}
          </span>
        }
        onChange={(event) => enter(event.currentTarget.value)}
      />
      <LiveRegion>
        {status === 'checking' ? text('send.step.checking-address') : status === 'ready' ? (name ?? address) : ''}
      </LiveRegion>
      {status === 'failed' && (
        <Button size="small" icon="retry" onClick={send.retry}>
          {text('common.retry')}
        </Button>
      )}
      {status === 'wrong-checksum' && (
        <Notice kind="error" title={text('send.checksum.title')}>
          <p>{text('send.checksum.body')}</p>
          <TextButton onClick={send.acceptChecksum}>{text('send.checksum.accept')}</TextButton>
        </Notice>
      )}
      {status === 'ready' && address !== undefined && (
        <div className="send-card">
          <span className="send-party">
            <Avatar address={address} src={recipient.image} size={24} />
            <span className="send-address">
              {name !== undefined && <bdi>{name}</bdi>}
              <Address address={address} whole />
            </span>
          </span>
        </div>
      )}
      {status === 'empty' && recent.length > 0 && (
        <Group
          label={text('send.recent')}
          aside={<TextButton onClick={send.clearRecent}>{text('send.recent.clear')}</TextButton>}
        >
          {latestOf(recent).map((item) => (
            <Row
              key={item.address}
              icon={<Avatar address={item.address} />}
              detail={item.name !== undefined && <Address address={item.address} />}
              onClick={() => enter(item.address)}
            >
              {item.name === undefined ? <Address address={item.address} /> : <bdi>{item.name}</bdi>}
            </Row>
          ))}
        </Group>
      )}
    </>
  )
}

/** The number of recent recipients that are shown. */
const shownRecipients = 8

/** Returns the latest recipients without those that received something on several chains. */
function latestOf(recent: SendState['recent']): SendState['recent'] {
  return recent
    .filter(({ address }, at) => recent.findIndex((other) => other.address === address) === at)
    .slice(0, shownRecipients)
}

function errorText(
  { status, text: entered }: SendState['recipient'],
  { network, text }: { network: string; text: SendTranslator },
): string | undefined {
  if (status === 'invalid') return text('send.error.invalid', { network })
  if (status === 'unknown-name') return text('send.error.unknownName', { name: entered.trim(), network })
  if (status === 'failed') return text('send.error.lookup', { name: entered.trim() })
  return undefined
}

/** Whether the page can use a camera and the device is a phone or tablet. */
function canScan(): boolean {
  return (
    typeof navigator !== 'undefined' &&
    navigator.mediaDevices !== undefined &&
    globalThis.matchMedia?.('(pointer: coarse)').matches
  )
}
