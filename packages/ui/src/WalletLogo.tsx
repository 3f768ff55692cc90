import { type ReactNode, useState } from 'react'
import { hashHue } from './hashColor.ts'

/** What a logo needs. */
export interface WalletLogoProps {
  /** The wallet's (or network's) name: tints the placeholder and gives its letter. */
  readonly name: string
  readonly src?: string | undefined
  /** In px. [40] */
  readonly size?: 24 | 32 | 40 | 56 | 64 | undefined
  /** Networks are round. [square] */
  readonly shape?: 'square' | 'round' | undefined
}

/** A logo at its size from the first frame: a tinted letter, over which the picture fades in once it can be drawn. */
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
          // A picture of more than four million pixels, which could be a small file, may take minutes to draw.
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            naturalWidth * naturalHeight > 2 ** 22 ? setFailed(src) : setDrawn(src)
          }
          onError={() => setFailed(src)}
        />
      )}
    </span>
  )
}
