import { Avatar } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useSlots } from '../slots.ts'

/** Renders an account's avatar in a button, using the host's `avatar` slot if there is one. */
export function ButtonAvatar({
  address,
  src,
}: {
  readonly address: string
  readonly src: string | undefined
}): ReactNode {
  const { avatar } = useSlots()
  return avatar ? avatar({ address, image: src, size: 20 }) : <Avatar address={address} src={src} size={20} />
}
