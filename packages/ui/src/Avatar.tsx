import { type ReactNode, useState } from 'react'
import { hash } from './color.ts'

/** What an avatar needs. */
export interface AvatarProps {
  readonly address: string
  /** A picture that stands for the address, https or data. */
  readonly src?: string | undefined
  /** In px. [40] */
  readonly size?: 20 | 24 | 40 | 64 | 72 | undefined
}

/** The two lights of an address: the same address is always the same picture, whatever its letter case. */
export function gradientOf(address: string): string {
  const seed = hash(address.toLowerCase())
  const hue = seed % 360
  const turn = 60 + ((seed >>> 9) % 120)
  const x = 15 + ((seed >>> 16) % 40)
  const y = 10 + ((seed >>> 22) % 40)
  return (
    `radial-gradient(circle at ${x}% ${y}%, hsl(${hue} 90% 78%), transparent 60%), ` +
    `linear-gradient(${turn + 90}deg, hsl(${(hue + turn) % 360} 75% 55%), hsl(${(hue + 2 * turn) % 360} 80% 42%))`
  )
}

/** The picture of an account: its own, or a gradient made from its address. */
export function Avatar({ address, src, size = 40 }: AvatarProps): ReactNode {
  const [failed, setFailed] = useState<string>()
  return (
    <span
      className="avatar"
      style={{ inlineSize: size, blockSize: size, backgroundImage: gradientOf(address) }}
      aria-hidden="true"
    >
      {src !== undefined && failed !== src && (
        <img
          src={src}
          alt=""
          width={size}
          height={size}
          decoding="async"
          draggable={false}
          onError={() => setFailed(src)}
        />
      )}
    </span>
  )
}
