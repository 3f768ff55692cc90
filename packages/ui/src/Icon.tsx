import type { ReactNode } from 'react'

/** The name of an icon. */
export type IconName =
  | 'back'
  | 'forward'
  | 'down'
  | 'close'
  | 'help'
  | 'copy'
  | 'check'
  | 'wallet'
  | 'network'
  | 'external'
  | 'disconnect'
  | 'search'
  | 'qr'
  | 'retry'
  | 'warning'
  | 'info'
  | 'bag'
  | 'receive'
  | 'send'
  | 'swap'
  | 'plus'
  | 'more'
  | 'mail'
  | 'phone'
  | 'desktop'
  | 'key'
  | 'shield'
  | 'offline'

// The icons are drawn on a 24 px grid with a 1.75 px round stroke. Each icon consists of one or more path strings.
const drawings: Readonly<Record<IconName, readonly string[]>> = {
  back: ['M14.5 6 8.5 12l6 6'],
  forward: ['m9.5 6 6 6-6 6'],
  down: ['m6 9.5 6 6 6-6'],
  close: ['m6.5 6.5 11 11', 'm17.5 6.5-11 11'],
  help: ['M8.6 8.6a3.5 3.5 0 1 1 5.2 3.1c-1.1.6-1.8 1.3-1.8 2.5', 'M12 18v.1'],
  copy: [
    'M9 9.5A1.5 1.5 0 0 1 10.5 8h7A1.5 1.5 0 0 1 19 9.5v8a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 9 17.5z',
    'M15.5 5.2A1.5 1.5 0 0 0 14.3 4.6H6.5A1.9 1.9 0 0 0 4.6 6.5v7.8c0 .5.2.9.6 1.2',
  ],
  check: ['m5.5 12.8 4.2 4.2 8.8-9.5'],
  wallet: [
    'M4.5 8.3v8.9A2.3 2.3 0 0 0 6.8 19.5h10.4a2.3 2.3 0 0 0 2.3-2.3v-6.4a2.3 2.3 0 0 0-2.3-2.3H6.5a2 2 0 0 1 0-4h9.3v4',
    'M15.8 14v.1',
  ],
  network: [
    'M12 3.8a8.2 8.2 0 1 1 0 16.4 8.2 8.2 0 0 1 0-16.4z',
    'M4 12h16',
    'M12 3.8c2.3 2.4 3.4 5.2 3.4 8.2s-1.1 5.8-3.4 8.2c-2.3-2.4-3.4-5.2-3.4-8.2S9.7 6.2 12 3.8z',
  ],
  external: [
    'M13.8 5h5.2v5.2',
    'M18.7 5.3 11 13',
    'M10.5 6.5H7A1.9 1.9 0 0 0 5.1 8.4V17A1.9 1.9 0 0 0 7 18.9h8.6a1.9 1.9 0 0 0 1.9-1.9v-3.5',
  ],
  disconnect: [
    'M13.5 5.2H8A2.3 2.3 0 0 0 5.7 7.5v9A2.3 2.3 0 0 0 8 18.8h5.5',
    'M11 12h8.3',
    'm16.3 8.8 3.2 3.2-3.2 3.2',
  ],
  search: ['M11 4.8a6.2 6.2 0 1 1 0 12.4 6.2 6.2 0 0 1 0-12.4z', 'm15.6 15.6 3.7 3.7'],
  qr: [
    'M5 5h5v5H5z',
    'M14 5h5v5h-5z',
    'M5 14h5v5H5z',
    'M14 14h2.2v2.2',
    'M19 14.2v.1',
    'M14.2 19h.1',
    'M19 17.5V19h-2',
  ],
  retry: ['M18.8 12.6a6.9 6.9 0 1 1-1.9-5.4L19 9.2', 'M19.2 5v4.3h-4.3'],
  warning: [
    'M10.6 5.2 4 16.7a1.7 1.7 0 0 0 1.4 2.5h13.2a1.7 1.7 0 0 0 1.4-2.5L13.4 5.2a1.6 1.6 0 0 0-2.8 0z',
    'M12 9.5v4',
    'M12 16.3v.1',
  ],
  info: ['M12 3.8a8.2 8.2 0 1 1 0 16.4 8.2 8.2 0 0 1 0-16.4z', 'M12 11.3v4.7', 'M12 8.1v.1'],
  bag: ['M6.3 8.5h11.4l.9 9a1.9 1.9 0 0 1-1.9 2.1H7.3a1.9 1.9 0 0 1-1.9-2.1z', 'M8.9 11V7.5a3.1 3.1 0 0 1 6.2 0V11'],
  receive: ['M12 5v10.5', 'm7.5 11.3 4.5 4.5 4.5-4.5', 'M5.5 19.2h13'],
  send: ['M12 19V8.5', 'm7.5 12.7 4.5-4.5 4.5 4.5', 'M5.5 4.8h13'],
  swap: ['M7.8 4.8 4.8 7.8l3 3', 'M5 7.8h14', 'm16.2 13.2 3 3-3 3', 'M19 16.2H5'],
  plus: ['M12 5.5v13', 'M5.5 12h13'],
  more: ['M6 12v.1', 'M12 12v.1', 'M18 12v.1'],
  mail: [
    'M6 6h12a1.9 1.9 0 0 1 1.9 1.9v8.2A1.9 1.9 0 0 1 18 18H6a1.9 1.9 0 0 1-1.9-1.9V7.9A1.9 1.9 0 0 1 6 6z',
    'm4.6 7.5 7.4 5.7 7.4-5.7',
  ],
  phone: [
    'M8.8 4h6.4a1.9 1.9 0 0 1 1.9 1.9v12.2a1.9 1.9 0 0 1-1.9 1.9H8.8a1.9 1.9 0 0 1-1.9-1.9V5.9A1.9 1.9 0 0 1 8.8 4z',
    'M11 17h2',
  ],
  desktop: [
    'M5.8 5.2h12.4a1.7 1.7 0 0 1 1.7 1.7v7.6a1.7 1.7 0 0 1-1.7 1.7H5.8a1.7 1.7 0 0 1-1.7-1.7V6.9a1.7 1.7 0 0 1 1.7-1.7z',
    'M9 19.3h6',
    'M12 16.2v3',
  ],
  key: ['M8.7 11.2a4.1 4.1 0 1 1 0 8.2 4.1 4.1 0 0 1 0-8.2z', 'M11.6 12.4 19 5', 'm15.7 8.3 2.5 2.5'],
  shield: [
    'M12 4.2c2 1.5 4.2 2.2 6.7 2.3v5c0 4-2.4 6.7-6.7 8.3-4.3-1.6-6.7-4.3-6.7-8.3v-5c2.5-.1 4.7-.8 6.7-2.3z',
    'm9.2 12 2 2 3.6-3.9',
  ],
  offline: [
    'm4.5 4.5 15 15',
    'M9 9.3a9 9 0 0 0-3.3 2.1',
    'M13.3 8.6c2 .3 3.7 1.3 5 2.8',
    'M9.6 14.6a4.4 4.4 0 0 1 3-.9',
    'M12 18v.1',
  ],
}

// Mirrored on right-to-left pages, because these icons point in the reading direction. The question mark is also mirrored in
// Arabic.
const directed: ReadonlySet<IconName> = new Set(['back', 'forward', 'help', 'external', 'disconnect', 'send'])

/** Props for `Icon`. */
export interface IconProps {
  readonly name: IconName
  /** The size in px. Default: 20. */
  readonly size?: 16 | 20 | 24 | undefined
}

/** Renders a line icon in the text color. It is hidden from screen readers, because its container has the accessible name. */
export function Icon({ name, size = 20 }: IconProps): ReactNode {
  return (
    <svg
      className="icon"
      data-turns={directed.has(name) || undefined}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      {drawings[name].map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  )
}
