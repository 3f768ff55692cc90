import { type ReactNode, useState } from 'react'
import { hashHue } from './hashColor.ts'

/** Props of `WalletLogo`. */
export interface WalletLogoProps {
  /** The name of the wallet or network. Determines the placeholder's letter and color. */
  readonly name: string
  readonly src?: string | undefined
  /** In px. [40] */
  readonly size?: 24 | 32 | 40 | 56 | 64 | undefined
  /** Use `round` for networks. [square] */
  readonly shape?: 'square' | 'round' | undefined
}

/** A logo that has its final size from the first frame: a colored letter, replaced by the image once it has loaded. */
export function WalletLogo({ name, src, size = 40, shape = 'square' }: WalletLogoProps): ReactNode {
  const [failed, setFailed] = useState<string>()
  const [drawn, setDrawn] = useState<string>()
  const letter = [...name.trim()][0]?.toUpperCase() ?? ''
  return (
    <span
      className="logo"
      data-shape={shape}
      data-letter={letter}
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
          draggable={false}
          // An image of more than four million pixels can be a small file, but may take minutes to render.
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            naturalWidth * naturalHeight > 2 ** 22 ? setFailed(src) : setDrawn(src)
          }
          onError={() => setFailed(src)}
        />
      )}
    </span>
  )
}
