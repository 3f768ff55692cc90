import { type ReactNode, useState } from 'react'
import { fnv1a } from './hashColor.ts'

/** Props for `Avatar`. */
export interface AvatarProps {
  readonly address: string
  /** The account's image, as an https or data URL. */
  readonly src?: string | undefined
  /** The size in px. Default: 40. */
  readonly size?: 20 | 24 | 40 | 64 | 72 | undefined
}

/** Derives a gradient from an address. The result does not depend on the letter case of the address. */
export function lightsOf(address: string): {
  id: string
  colors: readonly [string, string, string]
  turn: number
  x: number
  y: number
} {
  const seed = fnv1a(address.toLowerCase())
  const hue = seed % 360
  const step = 50 + ((seed >>> 9) % 100)
  return {
    id: `latchkey-${seed.toString(36)}`,
    colors: [`hsl(${hue} 85% 80%)`, `hsl(${(hue + step) % 360} 72% 56%)`, `hsl(${(hue + 2 * step) % 360} 75% 42%)`],
    turn: (seed >>> 4) % 360,
    x: 20 + ((seed >>> 16) % 40),
    y: 15 + ((seed >>> 22) % 40),
  }
}

/**
 * Renders the image of an account, or a gradient derived from the account's address. Uses SVG attributes instead of styles, so
 * that it also works in server-rendered pages under `style-src 'self'`.
 */
export function Avatar({ address, src, size = 40 }: AvatarProps): ReactNode {
  const [failed, setFailed] = useState<string>()
  if (src !== undefined && failed !== src)
    return (
      <img
        className="avatar"
        src={src}
        alt=""
        width={size}
        height={size}
        decoding="async"
        // Do not tell the hosts of images which page shows them.
        referrerPolicy="no-referrer"
        draggable={false}
        onError={() => setFailed(src)}
      />
    )
  const { id, colors, turn, x, y } = lightsOf(address)
  return (
    <svg className="avatar" width={size} height={size} viewBox="0 0 40 40" aria-hidden="true">
      <linearGradient id={id} gradientTransform={`rotate(${turn} .5 .5)`}>
        <stop stopColor={colors[1]} />
        <stop offset="1" stopColor={colors[2]} />
      </linearGradient>
      <radialGradient id={`${id}-l`} cx={`${x}%`} cy={`${y}%`} r="60%">
        <stop stopColor={colors[0]} />
        <stop offset="1" stopColor={colors[0]} stopOpacity="0" />
      </radialGradient>
      <circle cx="20" cy="20" r="20" fill={`url(#${id})`} />
      <circle cx="20" cy="20" r="20" fill={`url(#${id}-l)`} />
    </svg>
  )
}
