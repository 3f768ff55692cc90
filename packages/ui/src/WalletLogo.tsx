import { type ReactNode, useState } from 'react'
import { hashHue } from './hashColor.ts'

/** Props for `WalletLogo`. */
export interface WalletLogoProps {
  /** The name of the wallet or network. The placeholder's letter and color are derived from it. */
  readonly name: string
  readonly src?: string | undefined
  /** The size in px. Default: 40. */
  readonly size?: 24 | 32 | 40 | 56 | 64 | undefined
  /** The shape. Use `round` for networks. Default: `square`. */
  readonly shape?: 'square' | 'round' | undefined
}

/** Renders a logo. Until the image has loaded, or if it fails to load, a colored letter of the same size is shown instead. */
export function WalletLogo({ name, src, size = 40, shape = 'square' }: WalletLogoProps): ReactNode {
  const [failed, setFailed] = useState<string>()
  const [drawn, setDrawn] = useState<string>()
  const initial = [...name.trim()][0]?.toUpperCase() ?? ''
  return (
    <span
      className="logo"
      data-shape={shape}
      data-letter={initial}
      data-drawn={(src !== undefined && drawn === src) || undefined}
      style={
        {
          inlineSize: size,
          blockSize: size,
          fontSize: Math.round(size * 0.45),
          borderRadius: shape === 'round' ? '50%' : size / 4,
          '--hue': hashHue(name),
        } as object
      }
      aria-hidden="true"
    >
      {src !== undefined && failed !== src && (
        <img
          key={src}
          src={src}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          // Do not tell the hosts of logos which page shows them.
          referrerPolicy="no-referrer"
          draggable={false}
          // Images of more than four million pixels are not shown, because a small file can contain an image that takes
          // minutes to render.
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            naturalWidth * naturalHeight > 2 ** 22 ? setFailed(src) : setDrawn(src)
          }
          onError={() => setFailed(src)}
        />
      )}
    </span>
  )
}
