import { type ReactNode, useMemo } from 'react'
import { encode } from 'uqr'
import css from './QrCode.css?inline'
import { useStyleSheet } from './stylesheetRegistry.ts'

/** Props for `QrCode`. */
export interface QrCodeProps {
  readonly value: string
  /** The accessible name, such as "QR code of your address". Offer the same content as text, too. */
  readonly label: string
  /** Whether to leave the center empty for a logo. The empty area is 18% as wide as the code. */
  readonly hole?: boolean | undefined
  /** The width and height in px, including the quiet zone. The code shrinks to fit its container. Default: 280. */
  readonly size?: number | undefined
}

const quietZone = 3
// The width of the hole as a fraction of the width of the code. The hole covers 3.2% of the modules (18% squared), and level Q
// recovers 25% of the codewords.
const middle = 0.18

/** Renders a QR code for scanning from a screen: dark on light in every theme, with a quiet zone and rounded modules. */
export function QrCode({ value, label, hole = false, size = 280 }: QrCodeProps): ReactNode {
  useStyleSheet(css)
  const matrix = useMemo(() => drawQr(value, hole), [value, hole])
  const side = matrix.size + 2 * quietZone
  return (
    <svg
      className="qr"
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`${-quietZone} ${-quietZone} ${side} ${side}`}
    >
      <rect className="qr-paper" x={-quietZone} y={-quietZone} width={side} height={side} rx="2.5" />
      <path className="qr-ink" d={matrix.modules} />
      {matrix.finders.map(([x, y]) => (
        <g key={`${x} ${y}`}>
          <rect className="qr-frame" x={x + 0.5} y={y + 0.5} width="6" height="6" rx="1.75" />
          <rect className="qr-ink" x={x + 2} y={y + 2} width="3" height="3" rx="0.9" />
        </g>
      ))}
    </svg>
  )
}

/** Draws the modules of `value` as a single path, without the finder patterns and, if there is a `hole`, without the center. */
export function drawQr(
  value: string,
  hole: boolean,
): { size: number; modules: string; finders: readonly (readonly [number, number])[] } {
  const code = encode(value, { ecc: hole ? 'Q' : 'M', border: 0 })
  const { size } = code
  const finders = [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ] as const
  const from = Math.floor((size * (1 - middle)) / 2)
  const to = size - from
  const dark = (x: number, y: number): boolean => {
    if (finders.some(([fx, fy]) => x >= fx && x < fx + 7 && y >= fy && y < fy + 7)) return false
    if (hole && x >= from && x < to && y >= from && y < to) return false
    return code.data[y]?.[x] === true
  }
  let modules = ''
  // Each vertical run becomes a single capsule, which needs fewer nodes and leaves no seams that could confuse scanners.
  for (let x = 0; x < size; x++) {
    for (let y = 0; y < size; y++) {
      if (!dark(x, y)) continue
      let end = y
      while (dark(x, end + 1)) end++
      modules += `M${x + 0.06} ${y + 0.5}a.44.44 0 0 1 .88 0v${end - y}a.44.44 0 0 1-.88 0z`
      y = end
    }
  }
  return { size, modules, finders }
}
