import type { ReactNode } from 'react'

/** The drawing of an icon on a 24 px grid, with a 1.75 px round stroke. */
export interface IconDrawing {
  /** One or more path strings. */
  readonly paths: readonly string[]
  /** Whether the icon is mirrored on right-to-left pages, because it points in the reading direction. */
  readonly directed?: boolean
}

/** The name of an icon that is part of this component's chunk. The other icons are in `moreIcons`. */
export type IconName =
  | 'back'
  | 'forward'
  | 'down'
  | 'close'
  | 'help'
  | 'check'
  | 'wallet'
  | 'external'
  | 'search'
  | 'retry'
  | 'warning'
  | 'info'

const drawings: Readonly<Record<IconName, IconDrawing>> = {
  back: { paths: ['M14.5 6 8.5 12l6 6'], directed: true },
  forward: { paths: ['m9.5 6 6 6-6 6'], directed: true },
  down: { paths: ['m6 9.5 6 6 6-6'] },
  close: { paths: ['m6.5 6.5 11 11', 'm17.5 6.5-11 11'] },
  // The question mark is also mirrored in Arabic.
  help: { paths: ['M8.6 8.6a3.5 3.5 0 1 1 5.2 3.1c-1.1.6-1.8 1.3-1.8 2.5', 'M12 18v.1'], directed: true },
  check: { paths: ['m5.5 12.8 4.2 4.2 8.8-9.5'] },
  wallet: {
    paths: [
      'M4.5 8.3v8.9A2.3 2.3 0 0 0 6.8 19.5h10.4a2.3 2.3 0 0 0 2.3-2.3v-6.4a2.3 2.3 0 0 0-2.3-2.3H6.5a2 2 0 0 1 0-4h9.3v4',
      'M15.8 14v.1',
    ],
  },
  external: {
    paths: [
      'M13.8 5h5.2v5.2',
      'M18.7 5.3 11 13',
      'M10.5 6.5H7A1.9 1.9 0 0 0 5.1 8.4V17A1.9 1.9 0 0 0 7 18.9h8.6a1.9 1.9 0 0 0 1.9-1.9v-3.5',
    ],
    directed: true,
  },
  search: { paths: ['M11 4.8a6.2 6.2 0 1 1 0 12.4 6.2 6.2 0 0 1 0-12.4z', 'm15.6 15.6 3.7 3.7'] },
  retry: { paths: ['M18.8 12.6a6.9 6.9 0 1 1-1.9-5.4L19 9.2', 'M19.2 5v4.3h-4.3'] },
  warning: {
    paths: [
      'M10.6 5.2 4 16.7a1.7 1.7 0 0 0 1.4 2.5h13.2a1.7 1.7 0 0 0 1.4-2.5L13.4 5.2a1.6 1.6 0 0 0-2.8 0z',
      'M12 9.5v4',
      'M12 16.3v.1',
    ],
  },
  info: { paths: ['M12 3.8a8.2 8.2 0 1 1 0 16.4 8.2 8.2 0 0 1 0-16.4z', 'M12 11.3v4.7', 'M12 8.1v.1'] },
}

/** Props for `Icon`. */
export interface IconProps {
  /** The name of an icon, or one of `moreIcons`. */
  readonly name: IconName | IconDrawing
  /** The size in px. Default: 20. */
  readonly size?: 16 | 20 | 24 | undefined
}

/** Renders a line icon in the text color. It is hidden from screen readers, because its container has the accessible name. */
export function Icon({ name, size = 20 }: IconProps): ReactNode {
  const { paths, directed } = typeof name === 'string' ? drawings[name] : name
  return (
    <svg className="icon" data-turns={directed} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {paths.map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  )
}
